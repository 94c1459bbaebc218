/** `npm run pictures`: takes the pictures of the page in README and docs, from samples and at a fixed time. */
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../test/kit/browser.js';

const folder = fileURLToPath(new URL('../docs/images', import.meta.url));
const now = Date.UTC(2026, 5, 17, 14, 30);
const maxBytes = 160_000;

interface Picture {
  readonly name: string;
  readonly hash: string;
  /** Visible once the screen is complete. */
  readonly text: string;
  readonly isPhone?: boolean;
  readonly act?: (page: Page) => Promise<void>;
}

const pictures: readonly Picture[] = [
  { name: 'inbox', hash: '#request=r-edit', text: 'priceInCents' },
  {
    name: 'session',
    hash: '#session=s-shop',
    text: 'expected 0.30000000000000004',
    act: async (page) => {
      const call = page.getByRole('button', { name: 'npm test -- checkout' });
      await call.click();
      await call.scrollIntoViewIfNeeded();
    },
  },
  { name: 'request-phone', hash: '#request=r-command', text: 'Allow once', isPhone: true },
  { name: 'usage', hash: '#usage', text: 'By model' },
];

// The samples are relative to the present, so it must not move between two runs.
Date.now = () => now;
const [{ startScene }, { desk, openPage, phone }] = await Promise.all([
  import('../test/web/scene.js'),
  import('../test/web/browser.js'),
]);

await mkdir(folder, { recursive: true });
const door = await startScene();
const browser = await launchBrowser();
try {
  for (const picture of pictures) await take(browser, picture);
} finally {
  await browser.close();
  await door.close();
}

async function take(chromium: Browser, { name, hash, text, isPhone = false, act }: Picture): Promise<void> {
  const { page } = await openPage(chromium, door, hash, {
    ...(isPhone ? phone : { ...desk, viewport: { width: 1280, height: 800 } }),
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    time: now,
  });
  await act?.(page);
  await page.getByText(text).first().waitFor();
  await page.locator('.link-state.live').waitFor({ state: 'attached' });
  // A request that has just appeared cannot be allowed yet.
  await page.locator('.allow[aria-disabled=true]').waitFor({ state: 'detached' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = `${folder}/${name}-${colorScheme}.png`;
    await page.screenshot({ path });
    const { size } = await stat(path);
    process.stdout.write(`docs/images/${name}-${colorScheme}.png ${size} bytes\n`);
    if (size > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes.`);
  }
  await page.context().close();
}
