/** A real browser for tests of the page, started once for a test file. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Locator } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Fails where there is no browser: tests that are skipped in silence prove nothing. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'No browser was found, so the page is not tested. Install one (Debian: apt-get install chromium-headless-shell fonts-liberation), or set CHROMIUM_PATH to the executable of Chrome or Chromium.',
    );
  // Without its own sandbox, which root may not use in containers. It opens pages of the tests only.
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

/** Call it at the top of a test file. The returned function is for its tests. */
export function useBrowser(args: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser(args);
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('The browser starts before the tests, not before the file.');
    return browser;
  };
}

/** Presses a button with which a request is answered, until a click counts. One on a button that has just moved does not. */
export async function pressOnceSteady(button: Locator): Promise<void> {
  const when = (isInert: boolean): Locator =>
    button.and(button.page().locator(`[aria-disabled=${String(isInert)}]`));
  for (let presses = 0; presses < 10; presses += 1) {
    await when(false).click();
    const isOver = async (): Promise<boolean> =>
      (await when(true).count()) > 0 || (await button.count()) === 0;
    await expect.poll(isOver, { timeout: 10_000 }).toBe(true);
    if ((await button.count()) === 0) return;
  }
  throw new Error('The button has moved before every click.');
}
