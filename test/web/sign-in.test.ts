import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage } from './browser.js';
import { FakeDoor } from './fake-door.js';

const stranger = { ...desk, isSignedIn: false };

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await FakeDoor.start();
});
afterEach(() => door.close());

describe('a pairing link', () => {
  it('signs the browser in at once and leaves the address', async () => {
    const { page } = await openPage(browser(), door, '#pair=good', stranger);
    await page.getByText('All clear').waitFor();

    expect(page.url()).toBe(`${door.url}#inbox`);
    expect(door.calls[0]).toEqual({ name: 'pair', input: { code: 'good', name: 'Chrome on Linux' } });
    expect(await page.evaluate('history.length')).toBe(2);
  });

  it('that was used says how to get another one', async () => {
    const { page } = await openPage(browser(), door, '#pair=used', stranger);

    await page.getByText('This link was used or is too old.').waitFor();
    await page.getByText('claude-code-mcp open', { exact: true }).waitFor();

    expect(page.url()).toBe(`${door.url}#inbox`);
  });
});

describe('a browser that is signed in', () => {
  it('shows the inbox although a link was used', async () => {
    const { page } = await openPage(browser(), door, '#pair=used');

    await page.getByText('All clear').waitFor();

    expect(page.url()).toBe(`${door.url}#inbox`);
    expect(door.calls.map(({ name }) => name)).toEqual(['pair', 'me', 'me']);
  });
});

describe('a browser that is not signed in', () => {
  it('enters with the password', async () => {
    const { page } = await openPage(browser(), door, '', stranger);

    await page.getByLabel('Or use the password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Or use the password').fill('good');
    await page.keyboard.press('Enter');

    await page.getByText('All clear').waitFor();
  });

  it('waits while the server cannot be reached, and enters when it is back', async () => {
    door.isDown = true;
    const { page } = await openPage(browser(), door);
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();

    door.isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByText('All clear').waitFor();
  });
});
