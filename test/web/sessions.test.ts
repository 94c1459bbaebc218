import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TimelineEvent } from '../../src/page/contract.js';
import { pressOnceSteady, useBrowser } from '../kit/browser.js';
import { desk, openPage, phone } from './browser.js';
import type { FakeDoor } from './fake-door.js';
import { startScene } from './scene.js';
import { details, row, timeline } from './session-samples.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await startScene();
});
afterEach(() => door.close());

const inputOf = (name: string): unknown => door.calls.findLast((call) => call.name === name)?.input;

describe('the list of sessions', () => {
  it('is filtered by status and searched', async () => {
    const { page } = await openPage(browser(), door, '#sessions');
    const titles = page.locator('.session-item .item-title');
    await page.getByText('Upgrade to Node 24').waitFor();

    await page.getByRole('button', { name: 'On disk' }).click();
    await page.getByText('Upgrade to Node 24').waitFor({ state: 'detached' });
    const onDisk = await titles.allInnerTexts();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByLabel('Search sessions').fill('leak');
    await page.getByText('Explain the deploy script').waitFor({ state: 'detached' });

    expect(onDisk).toEqual(['Explain the deploy script']);
    expect(await titles.allInnerTexts()).toEqual(['Find the memory leak in the worker']);
  });

  it('changes with the stream', async () => {
    const { page } = await openPage(browser(), door, '#sessions');
    await page.getByText('Reads openapi/orders.yaml').waitFor();

    door.send({
      type: 'sessions',
      rows: [row({ sessionId: 's-docs', title: 'Rewrite the API reference', activity: 'Writes orders.md' })],
    });

    await page.getByText('Writes orders.md').waitFor();
  });
});

describe('a session', () => {
  it('shows a tool call with its input and result when it is unfolded', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop');

    await page.getByRole('button', { name: 'npm test -- checkout' }).click();
    await page.getByText('expected 0.30000000000000004').waitFor();

    expect(inputOf('toolCall')).toEqual({ sessionId: 's-shop', toolUseId: 't1' });
  });

  it('takes the answer to a request in its place', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop');
    const allow = page.getByRole('button', { name: 'Allow once' });

    await pressOnceSteady(allow);
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'allow' }]);
  });

  it('takes the answer of a person who has just scrolled', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop', { ...desk, hasClock: true });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.scrollIntoViewIfNeeded();
    await page.clock.pauseAt(Date.now() + 2_000);
    await page.clock.runFor(1_000);
    const before = await allow.boundingBox();

    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -40);
    await expect.poll(() => allow.boundingBox()).not.toEqual(before);
    await allow.click();
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toHaveLength(1);
  });

  it('takes no answer to a request whose buttons have just moved under the pointer', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop', {
      viewport: { width: 1440, height: 1800 },
      hasClock: true,
    });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.and(page.locator('[aria-disabled=false]')).waitFor();
    await page.clock.pauseAt(Date.now() + 2_000);
    const before = await allow.boundingBox();

    door.addEvents('s-shop', [
      { seq: 900, at: Date.now(), turn: 1, body: { type: 'text', text: 'More.\n\n'.repeat(60) } },
    ]);
    await expect.poll(() => allow.boundingBox()).not.toEqual(before);
    const after = await allow.boundingBox();
    const click = () => page.mouse.click((after?.x ?? 0) + 20, (after?.y ?? 0) + 10);
    await click();
    await allow.and(page.locator('[aria-disabled=true]')).waitFor();
    const early = [...door.answers];
    await page.clock.runFor(1_000);
    await click();

    expect(early).toEqual([]);
    await expect.poll(() => door.answers).toEqual([{ requestId: 'r-command', decision: 'allow' }]);
  });

  it('takes a prompt into the running turn, or queues it', async () => {
    const { page } = await openPage(browser(), door, '#session=s-docs', phone);

    await page.getByLabel('Prompt', { exact: true }).fill('Also the errors');
    await page.getByRole('button', { name: 'After this turn' }).click();
    await page.getByRole('button', { name: 'Queue' }).click();

    await expect
      .poll(() => inputOf('reply'))
      .toEqual({ sessionId: 's-docs', prompt: 'Also the errors', whenBusy: 'queue' });
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('');
  });

  it('is interrupted at once, and cancelled after a question', async () => {
    const { page } = await openPage(browser(), door, '#session=s-docs');

    await page.getByRole('button', { name: 'Interrupt' }).click();
    await expect.poll(() => inputOf('interrupt')).toEqual({ sessionId: 's-docs' });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    const afterBack = inputOf('cancel');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the session' }).click();

    await expect.poll(() => inputOf('cancel')).toEqual({ sessionId: 's-docs' });
    expect(afterBack).toBeUndefined();
  });

  it('shows names and commands in its notes as code', async () => {
    const notes = ['Not loaded: `CLAUDE.md`, `a<b>`. Run `claude-code-mcp trust .` there.'];
    door.handlers.session = () => ({ ...details(row({ sessionId: 's-shop' }), 0), notes });
    const { page } = await openPage(browser(), door, '#session=s-shop');

    const note = page.locator('.note', { hasText: 'Not loaded' });
    await note.waitFor();

    expect((await note.innerText()).trim()).toBe(
      'Not loaded: CLAUDE.md, a<b>. Run claude-code-mcp trust . there.',
    );
    expect(await note.locator('code').allInnerTexts()).toEqual([
      'CLAUDE.md',
      'a<b>',
      'claude-code-mcp trust .',
    ]);
  });

  it('gives the command that continues it in a terminal', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop', {
      ...desk,
      permissions: ['clipboard-read', 'clipboard-write'],
    });

    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Copy the resume command' }).click();
    await page.getByText('Copied').waitFor();

    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/claude --resume [0-9a-f-]{36}$/);
  });

  it('shows the files that it changed', async () => {
    const { page } = await openPage(browser(), door, '#session=s-shop&changes');
    await page.getByText('3 files changed').waitFor();

    expect(await page.locator('.changes .path').allInnerTexts()).toEqual([
      '/home/alice/shop/src/cart/total.ts',
      '/home/alice/shop/src/cart/cents.ts\nnew file',
      '/home/alice/shop/assets/logo.png',
    ]);
  });

  it('that does not exist says so', async () => {
    const { page } = await openPage(browser(), door, '#session=s-none');

    await page.getByRole('alert').getByText('This session does not exist.').waitFor();
  });
});

/** What leaves the screen is reported together with an outdated place, as when a callback comes after two frames. */
const reportsTwice = `
  const Observer = window.IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(callback, options) {
      super((entries, observer) => {
        const [{ target, isIntersecting }] = entries;
        if (isIntersecting) return callback(entries, observer);
        window.reportedTwice = true;
        callback([{ target, isIntersecting: true }, ...entries], observer);
      }, options);
    }
  };
`;

describe('a timeline of 10,000 events', () => {
  const many = (count: number): TimelineEvent[] =>
    timeline(
      Array.from({ length: count }, (_, index) => ({ type: 'text', text: `Step **${index + 1}** is done.` })),
    );

  it('renders only what is near, follows the end, and stays where the person reads', async () => {
    const events = many(10_000);
    door.events.set('s-idle', []);
    const { page, errors } = await openPage(browser(), door, '#session=s-idle');
    await page.getByText('No events yet.').waitFor();

    door.addEvents('s-idle', events.slice(0, 9990));
    await page.getByText('Step 9990 is done.').waitFor();
    const rendered = await page.locator('.event').count();
    await page.getByRole('log').press('Home');
    await page.getByText('Step 1 is done.', { exact: true }).waitFor();
    door.addEvents('s-idle', events.slice(9990));
    await page.getByRole('button', { name: 'New events' }).click();
    await page.getByText('Step 10000 is done.').waitFor();

    expect(rendered).toBeLessThan(450);
    // What was near before the jump leaves in the next frames.
    await expect.poll(() => page.locator('.event').count()).toBeLessThan(450);
    expect(errors).toEqual([]);
  });

  it('is not moved to its end again once the person scrolls up, however little', async () => {
    door.events.set('s-idle', many(200));
    const { page } = await openPage(browser(), door, '#session=s-idle');
    await page.getByText('Step 200 is done.').waitFor();

    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -40);
    const toEnd = (): Promise<number> =>
      page.evaluate(`(() => {
        const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.timeline');
        return scrollHeight - scrollTop - clientHeight;
      })()`);
    await expect.poll(toEnd).toBeGreaterThanOrEqual(40);
    door.addEvents('s-idle', many(201).slice(200));

    await page.getByRole('button', { name: 'New events' }).waitFor();
  });

  it('renders only what is near when a busy browser reports several places at once', async () => {
    door.events.set('s-idle', many(200));
    const { page } = await openPage(browser(), door, '#session=s-idle', { ...desk, script: reportsTwice });
    await page.getByText('Step 200 is done.').waitFor();

    await page.getByRole('log').press('Home');
    await page.getByText('Step 1 is done.', { exact: true }).waitFor();

    await expect.poll(() => page.getByText('Step 200 is done.').count()).toBe(0);
    expect(await page.evaluate('window.reportedTwice')).toBe(true);
  });

  it('loads older events when the person scrolls up', async () => {
    door.events.set('s-idle', many(1000));
    const { page } = await openPage(browser(), door, '#session=s-idle');
    await page.getByText('Step 1000 is done.').waitFor();

    await page.getByRole('button', { name: 'Show earlier events' }).click();

    const input = { sessionId: 's-idle', before: 801, limit: 200 };
    await expect.poll(() => door.calls).toContainEqual({ name: 'events', input });
    expect(door.streams).toContainEqual(expect.stringMatching(/^\?session=s-idle&after=800/));
  });
});

describe('a new session', () => {
  it('starts with prompt, folder, mode and budget, and opens', async () => {
    const { page } = await openPage(browser(), door, '#new', phone);

    await page.getByLabel('What should Claude do?').fill('Rewrite the API reference');
    await page.getByLabel('Folder').fill('/home/alice/docs');
    await page.getByLabel('Mode').selectOption('plan');
    await page.getByLabel('Budget in US dollars').fill('2.5');
    await page.getByRole('button', { name: 'Start the session' }).click();
    await page.getByRole('heading', { name: 'Rewrite the API reference from the OpenAPI file' }).waitFor();

    expect(inputOf('start')).toEqual({
      prompt: 'Rewrite the API reference',
      folder: '/home/alice/docs',
      mode: 'plan',
      budgetUsd: 2.5,
    });
  });
});

describe('the devices', () => {
  it('are removed after a question', async () => {
    const { page } = await openPage(browser(), door, '#devices');

    await page.getByRole('button', { name: 'Remove Safari on iPhone' }).click();
    await page.getByRole('button', { name: 'Remove the device' }).click();

    await expect.poll(() => inputOf('revoke')).toEqual({ deviceId: 'd2' });
  });

  it('include this one, which can sign out', async () => {
    const { page } = await openPage(browser(), door, '#devices');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();

    expect(inputOf('signOut')).toEqual({});
  });
});

describe('usage', () => {
  it('is a chart and a table with the same numbers', async () => {
    const { page } = await openPage(browser(), door, '#usage');

    await page.getByText('Show as a table').click();

    expect(await page.locator('.day-chart .day').count()).toBe(30);
    expect(await page.locator('details tbody tr').count()).toBe(30);
  });
});
