/** `npm run pictures`: takes the pictures of the page in README and docs, from samples and at a fixed time. */
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/kit/browser.js';
import { screens, type Screen } from '../test/web/screens.js';

const folder = fileURLToPath(new URL('../docs/images', import.meta.url));
const now = Date.UTC(2026, 5, 17, 14, 30);
const maxBytes = 160_000;

/** The screens in the pictures, by the names of their files. */
const pictures: Readonly<Record<string, { readonly screen: string; readonly isPhone?: boolean }>> = {
  inbox: { screen: 'request-edit' },
  session: { screen: 'session' },
  'request-phone': { screen: 'request-command', isPhone: true },
  usage: { screen: 'usage' },
};

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
  for (const [name, { screen, isPhone = false }] of Object.entries(pictures)) {
    const found = screens.find((one) => one.name === screen);
    if (found === undefined) throw new Error(`There is no screen ${screen}.`);
    await take(browser, { ...found, name }, isPhone);
  }
} finally {
  await browser.close();
  await door.close();
}

async function take(chromium: Browser, { name, hash, text, act }: Screen, isPhone: boolean): Promise<void> {
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
