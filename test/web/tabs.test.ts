import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage } from './browser.js';
import { FakeDoor } from './fake-door.js';
import { commandCard } from './samples.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await FakeDoor.start();
});
afterEach(() => door.close());

/** A headless browser shows all of its tabs at once. What a tab tells the others is noted. */
const script = `
  let isHidden = false;
  Object.defineProperty(document, 'hidden', { get: () => isHidden });
  globalThis.hide = (value) => {
    isHidden = value;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  globalThis.told = [];
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (news) {
    told.push(news);
    postMessage.call(this, news);
  };
`;

async function openTabs(count: number): Promise<Page[]> {
  const { page } = await openPage(browser(), door, '', { ...desk, script });
  const tabs = [page];
  while (tabs.length < count) {
    await hide(tabs.at(-1));
    tabs.push(await openTab(page.context()));
  }
  return tabs;
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(door.url, { timeout: 10_000 });
  await page.locator('.link-state.live').waitFor({ timeout: 10_000 });
  return page;
}

async function hide(page: Page | undefined, isHidden = true): Promise<void> {
  await page?.evaluate(`hide(${isHidden})`);
}

describe('many tabs of one browser', () => {
  it('leave room for calls, because only one that nobody sees keeps its connection', async () => {
    door.cards = [commandCard()];
    const tabs = await openTabs(8);

    await expect.poll(() => door.openStreams).toBe(1);
    await tabs.at(-1)?.getByRole('button', { name: 'Deny', exact: true }).click();
    await tabs.at(-1)?.getByText('By you, on this device').waitFor({ timeout: 10_000 });

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'deny' }]);
  });

  it('are up to date as soon as a person looks at them', async () => {
    const [first, second] = await openTabs(2);
    await expect.poll(() => door.openStreams).toBe(1);

    door.ask(commandCard());
    await hide(second);
    await hide(first, false);
    await first?.getByRole('heading', { name: 'Run npm test' }).waitFor({ timeout: 10_000 });

    await expect.poll(() => door.openStreams).toBe(1);
  });

  it('are connected by another one when the one that a person saw last is closed', async () => {
    const { page } = await openPage(browser(), door, '', { ...desk, script, hasClock: true });
    await hide(page);
    const second = await openTab(page.context());
    await page.locator('.link-state.lost').waitFor();

    await second.close();
    await expect.poll(() => door.openStreams, { timeout: 10_000 }).toBe(0);
    await page.clock.fastForward(45_000);
    await page.locator('.link-state.live').waitFor();

    expect(door.openStreams).toBe(1);
  });

  it('forget everything when the browser is signed out in one of them', async () => {
    door.cards = [commandCard()];
    const [first, second] = await openTabs(2);
    await expect.poll(() => door.openStreams).toBe(1);

    door.isSignedOut = true;
    await second?.goto(`${door.url}#devices`);
    await first
      ?.getByRole('heading', { name: 'Sign in to watch your sessions' })
      .waitFor({ timeout: 10_000 });

    expect(await first?.locator('.card').count()).toBe(0);
  });

  it('leave the connection to others once they are signed out', async () => {
    const { page: first } = await openPage(browser(), door, '', { ...desk, script, hasClock: true });
    await hide(first);
    const second = await openTab(first.context());
    await first.locator('.link-state.lost').waitFor();
    door.isSignedOut = true;
    await second.goto(`${door.url}#devices`);
    await first.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();
    const before = await first.evaluate('told.length');

    await first.clock.fastForward(45_000);
    await hide(first, false);

    expect(await first.evaluate(`told.slice(${String(before)})`)).toEqual([]);
  });
});
