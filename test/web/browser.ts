import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FakeDoor } from './fake-door.js';

export interface PageOptions extends BrowserContextOptions {
  /** The test moves the time of the page. */
  readonly hasClock?: boolean;
  /** The time of the page stands still here. */
  readonly time?: number;
  /** Runs before the page's own code. */
  readonly script?: string;
  readonly isSignedIn?: boolean;
}

export const phone: PageOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
export const desk: PageOptions = { viewport: { width: 1440, height: 900 } };

/** Opens the page as a signed-in device, at this hash, and collects the errors of the page. */
export async function openPage(
  browser: Browser,
  door: FakeDoor,
  hash = '',
  { hasClock = false, time, script, isSignedIn = true, ...options }: PageOptions = desk,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext(options);
  if (isSignedIn) {
    await context.addCookies([{ name: 'device', value: '1', url: door.url }]);
    await context.addInitScript("localStorage.setItem('page-key', 'key')");
  }
  if (script !== undefined) await context.addInitScript(script);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  if (hasClock) await page.clock.install();
  if (time !== undefined) await page.clock.setFixedTime(time);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text());
    }
  });
  await page.goto(`${door.url}${hash}`);
  return { page, errors };
}
