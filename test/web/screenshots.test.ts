import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage, phone } from './browser.js';
import type { FakeDoor } from './fake-door.js';
import { sceneCards, startScene } from './scene.js';
import { screens } from './screens.js';

const folder = fileURLToPath(new URL('../../.screenshots', import.meta.url));

const browser = useBrowser();
let door: FakeDoor;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  door = await startScene();
});
afterAll(async () => {
  await door.close();
});

/** Every screen in every look takes a minute. One look for each width finds nearly everything. */
const looks = process.env['THOROUGH'] === '1' ? (['light', 'dark'] as const) : undefined;

describe.each([
  ['390', phone, ['light']],
  ['1440', desk, ['dark']],
] as const)('at %s pixels', (width, options, [usual]) => {
  it.each(screens)('$name is accessible', async ({ name, hash, text, isSignedOut = false, act }) => {
    door.cards = sceneCards();
    const { page, errors } = await openPage(browser(), door, hash, {
      ...options,
      reducedMotion: 'reduce',
      isSignedIn: !isSignedOut,
    });
    await act?.(page);
    await page.getByText(text).first().waitFor();

    for (const colorScheme of looks ?? [usual]) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults;
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
