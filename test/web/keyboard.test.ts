import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { openPage } from './browser.js';
import type { FakeDoor } from './fake-door.js';
import { startScene } from './scene.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await startScene();
});
afterEach(() => door.close());

async function openRequest(requestId: string): Promise<Page> {
  const { page } = await openPage(browser(), door, `#request=${requestId}`);
  await page.locator('.button.allow').waitFor();
  return page;
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText',
    );
    if (typeof focused === 'string' && focused.trim() === name) return;
  }
  throw new Error(`The Tab key does not reach ${name}.`);
}

async function untilLive(page: Page): Promise<void> {
  await page.locator('.button.allow[aria-disabled=false]').waitFor();
}

describe('with the keyboard alone', () => {
  it('Allow takes two keys', async () => {
    const page = await openRequest('r-command');
    await untilLive(page);

    await page.keyboard.press('a');
    await page.getByText('Press Enter to allow once, or Escape to keep it open.').waitFor();
    const afterOne = [...door.answers];
    await page.keyboard.press('Enter');
    await page.getByText('By you, on this device').waitFor();

    expect(afterOne).toEqual([]);
    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'allow' }]);
  });

  it('Escape takes a prepared Allow back', async () => {
    const page = await openRequest('r-command');
    await untilLive(page);

    await page.keyboard.press('s');
    await page.getByText('Press Enter to allow for this session').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Runs in /home/alice/shop').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('d');
    await page.getByLabel('Message to Claude').fill('No');
    await page.keyboard.press('Control+Enter');
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'deny', message: 'No' }]);
  });

  it('Tab reaches Deny before Allow, and Enter presses what has the focus', async () => {
    const page = await openRequest('r-command');
    await untilLive(page);
    await page.locator('#title-r-command').focus();

    await tabTo(page, 'Deny');
    await tabTo(page, 'Allow once');
    await page.keyboard.press('Enter');
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'allow' }]);
  });

  it('arrows and letters walk through the requests', async () => {
    const page = await openRequest('r-command');

    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Edit /home/alice/shop/src/cart/total.ts' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /Review a plan/ }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Edit /home/alice/shop/src/cart/total.ts' }).waitFor();

    expect(page.url()).toBe(`${door.url}#request=r-edit`);
  });

  it('a plan is edited and approved', async () => {
    const page = await openRequest('r-plan');

    await page.keyboard.press('e');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Less');
    await untilLive(page);
    await tabTo(page, 'Approve as edited');
    await page.keyboard.press('Enter');
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([
      { requestId: 'r-plan', decision: 'allow', input: { plan: 'Less' }, nextMode: 'default' },
    ]);
  });

  it('questions are answered', async () => {
    const page = await openRequest('r-question');
    await page.locator('#title-r-question').focus();

    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await untilLive(page);
    await tabTo(page, 'Send answers');
    await page.keyboard.press('Enter');
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([
      {
        requestId: 'r-question',
        decision: 'allow',
        answers: {
          'Which store should hold the sessions?': ['Redis'],
          'Which environments get it first?': ['Staging'],
        },
      },
    ]);
  });

  it('a session is opened and steered', async () => {
    const page = await openRequest('r-command');

    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.getByRole('link', { name: /Rewrite the API/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Prompt', { exact: true }).focus();
    await page.keyboard.type('Skip the orders');
    await page.keyboard.press('Control+Enter');

    await expect
      .poll(() => door.calls.find(({ name }) => name === 'reply')?.input)
      .toEqual({ sessionId: 's-docs', prompt: 'Skip the orders', whenBusy: 'steer' });
  });

  it('the help lists all shortcuts and closes with Escape', async () => {
    const page = await openRequest('r-command');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    expect(await page.getByText('Press Enter to allow').count()).toBe(0);
  });
});
