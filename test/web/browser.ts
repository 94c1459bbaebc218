import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { FakeDoor } from './fake-door.js';

const executablePath = '/usr/lib/chromium/chromium-headless-shell';

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
export const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** Opens the page as a signed-in device, at this hash. Errors of the page fail the test that reads them. */
export async function openPage(
  browser: Browser,
  door: FakeDoor,
  hash = '',
  options: BrowserContextOptions = desk,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext(options);
  await context.addCookies([{ name: 'device', value: '1', url: door.url }]);
  await context.addInitScript("localStorage.setItem('page-key', 'key')");
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${door.url}${hash}`);
  return { page, errors };
}
