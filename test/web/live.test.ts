import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage } from './browser.js';
import { FakeDoor } from './fake-door.js';
import { commandCard, editCard } from './samples.js';
import { startScene } from './scene.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await FakeDoor.start();
});
afterEach(() => door.close());

const banner = (page: Page) => page.getByText('Not connected. You see the state at');

describe('a page whose connection is cut', () => {
  it('says so, forbids Allow, and shows what happened meanwhile once it is back', async () => {
    door.cards = [commandCard(), editCard()];
    const { page } = await openPage(browser(), door);
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();

    door.setDown(true);
    await banner(page).waitFor();
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.click({ force: true });
    await page.getByText('Allow works again once the page is up to date.').waitFor();
    door.cards = [editCard(), commandCard({ requestId: 'r-new', summary: 'Run the new one' })];
    door.setDown(false);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.locator('a.item', { hasText: 'Run the new one' }).waitFor();

    expect(await banner(page).count()).toBe(0);
    expect(await page.getByRole('article').getByRole('status').innerText()).toContain(
      'It was answered or withdrawn while this page was disconnected.',
    );
    expect(door.answers).toEqual([]);
  });

  it.each([
    [
      '#session=s-shop',
      {
        Interrupt: 'You can interrupt or cancel the session once the page is up to date.',
        Steer: 'You can send a prompt once the page is up to date.',
        Cancel: 'You can interrupt or cancel the session once the page is up to date.',
      },
      ['interrupt', 'reply'],
    ],
    ['#new', { 'Start the session': 'You can start a session once the page is up to date.' }, ['start']],
  ])('at %s does nothing until it is back, and says why', async (hash, reasons, calls) => {
    await door.close();
    door = await startScene();
    const { page } = await openPage(browser(), door, hash, { ...desk, hasClock: true });
    const made = () => door.calls.map(({ name }) => name).filter((name) => calls.includes(name));
    const buttons = Object.keys(reasons).map((name) => page.getByRole('button', { name, exact: true }));
    const pressAll = async () => {
      for (const button of buttons) await button.click({ force: true });
    };
    await page.getByRole('textbox').first().fill('Do it');
    door.silence();
    door.refuseStreams = true;

    await page.clock.fastForward(17_000);
    await banner(page).waitFor();
    await pressAll();
    const notes = await Promise.all(buttons.map((button) => button.getAttribute('aria-describedby')));
    const said = await Promise.all(notes.map((id) => page.locator(`#${id}`).innerText()));
    const [madeMeanwhile, dialogs] = [made(), await page.getByRole('dialog').count()];
    door.refuseStreams = false;
    await page.clock.fastForward(11_000);
    await banner(page).waitFor({ state: 'detached' });
    await pressAll();

    expect(said).toEqual(Object.values(reasons).map((why) => `Not connected. ${why}`));
    expect([madeMeanwhile, dialogs]).toEqual([[], 0]);
    await expect.poll(made).toEqual(calls);
  });

  it('notices silence after 15 seconds and connects again', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();
    door.silence();
    const before = door.streams.length;
    door.refuseStreams = true;

    await page.clock.fastForward(17_000);
    await banner(page).waitFor();
    door.refuseStreams = false;
    await page.clock.fastForward(11_000);
    await banner(page).waitFor({ state: 'detached' });

    expect(door.streams.length).toBeGreaterThan(before);
  });

  it('sends its cursor when it connects again', async () => {
    const { page } = await openPage(browser(), door);
    await page.getByText('All clear').waitFor();

    door.setDown(true);
    door.setDown(false);
    await expect.poll(() => door.streams.length).toBe(2);

    expect(door.streams).toEqual(['', '?cursor=3']);
  });
});

describe('a page whose place newer windows have taken', () => {
  it.each([
    ['after some seconds', async (page: Page) => page.clock.fastForward(10_000)],
    [
      'as soon as a person looks at it',
      async (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
    ],
  ])('leaves it to them, and is connected again %s', async (_when, wait) => {
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    await page.getByText('All clear').waitFor();

    door.end({ type: 'bye', why: 'too_many' });
    await banner(page).waitFor();
    // It appears after three seconds, and the pause takes five at least.
    const meanwhile = door.streams.length;
    await wait(page);
    await banner(page).waitFor({ state: 'detached' });

    expect([meanwhile, door.streams.length]).toEqual([1, 2]);
  });
});

describe('a device that is signed out elsewhere', () => {
  it('shows how to sign in, and nothing of the sessions', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door);
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();

    door.isSignedOut = true;
    door.send({ type: 'bye', why: 'signed_out' });
    await page.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();

    expect(await page.getByText('npm test').count()).toBe(0);
  });
});

describe('a request that arrives while the page is hidden', () => {
  const script = `
    globalThis.notes = [];
    globalThis.Notification = class extends EventTarget {
      static permission = 'default';
      static async requestPermission() { return (Notification.permission = 'granted'); }
      constructor(title, options) { super(); notes.push({ title, body: options.body, note: this }); }
      close() {}
    };
    Object.defineProperty(document, 'hidden', { get: () => globalThis.isAway === true });
  `;

  it('is announced, counted in the title, and opened from the notification', async () => {
    const { page } = await openPage(browser(), door, '#devices', { ...desk, script });
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('All clear').waitFor();
    const asked = await page.evaluate('Notification.permission');
    await page.getByRole('button', { name: 'Notify me' }).click();

    await page.evaluate('globalThis.isAway = true; location.hash = "#usage"');
    door.ask(commandCard());
    await expect.poll(() => page.title()).toBe('(1) Claude Code sessions');
    const notes = await page.evaluate('notes.map(({ title, body }) => ({ title, body }))');
    await page.evaluate('globalThis.isAway = false; notes[0].note.dispatchEvent(new Event("click"))');
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();

    expect(asked).toBe('default');
    expect(notes).toEqual([
      { title: 'Fix the failing checkout tests needs an answer', body: 'Bash in /home/alice/shop' },
    ]);
  });

  it('is announced once if it was asked while nothing was connected, and earlier ones are not announced again', async () => {
    const [before, meanwhile] = [commandCard({ requestId: 'r-before' }), commandCard({ folder: '/work' })];
    door.cards = [before];
    const { page } = await openPage(browser(), door, '', {
      ...desk,
      script: `${script}\nNotification.permission = 'granted'; globalThis.isAway = true;`,
    });
    await expect.poll(() => page.title()).toBe('(1) Claude Code sessions');

    for (const card of [[meanwhile], []]) {
      door.setDown(true);
      await page.locator('.link-state.lost').waitFor({ state: 'attached' });
      door.cards.push(...card);
      door.setDown(false);
      await page.locator('.link-state.live').waitFor({ state: 'attached' });
      await expect.poll(() => page.title()).toBe('(2) Claude Code sessions');
    }

    expect(await page.evaluate('notes.map(({ body }) => body)')).toEqual(['Bash in /work']);
  });

  it('is not announced while the person looks at the page', async () => {
    const { page } = await openPage(browser(), door, '', {
      ...desk,
      script: `${script}\nNotification.permission = 'granted';`,
    });
    await page.getByText('All clear').waitFor();

    door.ask(commandCard());
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();

    expect(await page.evaluate('notes')).toEqual([]);
  });
});
