import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage, phone } from './browser.js';
import type { FakeDoor } from './fake-door.js';
import { sceneCards, startScene } from './scene.js';

const folder = fileURLToPath(new URL('../../.screenshots', import.meta.url));

interface Screen {
  readonly name: string;
  readonly hash: string;
  /** Visible once the screen is complete. */
  readonly text: string;
  readonly isSignedOut?: boolean;
  readonly act?: (page: Page) => Promise<void>;
}

const screens: readonly Screen[] = [
  { name: 'inbox', hash: '#inbox', text: 'Run npm test' },
  { name: 'request-command', hash: '#request=r-command', text: 'Allow once' },
  { name: 'request-edit', hash: '#request=r-edit', text: 'priceInCents' },
  { name: 'request-plan', hash: '#request=r-plan', text: 'Sessions live in memory today' },
  { name: 'request-question', hash: '#request=r-question', text: 'Which store' },
  { name: 'request-input', hash: '#request=r-mcp', text: 'DELETE FROM carts' },
  { name: 'request-missing', hash: '#request=r-none', text: 'no longer open' },
  {
    name: 'request-deny',
    hash: '#request=r-command',
    text: 'Message to Claude',
    act: (page) => page.getByRole('button', { name: 'Deny with a message' }).click(),
  },
  {
    name: 'request-editing',
    hash: '#request=r-command',
    text: 'Not changed yet',
    act: (page) => page.getByRole('button', { name: 'Edit the command' }).click(),
  },
  { name: 'sessions', hash: '#sessions', text: 'Explain the deploy script' },
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
  { name: 'session-request', hash: '#session=s-shop', text: 'Steer' },
  { name: 'session-changes', hash: '#session=s-shop&changes', text: '3 files changed' },
  { name: 'new', hash: '#new', text: 'Start the session' },
  { name: 'usage', hash: '#usage', text: 'By model' },
  { name: 'devices', hash: '#devices', text: 'Safari on iPhone' },
  {
    name: 'shortcuts',
    hash: '#inbox',
    text: 'This help',
    act: async (page) => {
      await page.getByText('Run npm test').first().waitFor();
      await page.keyboard.press('?');
    },
  },
  { name: 'sign-in', hash: '', text: 'Sign in to watch your sessions', isSignedOut: true },
  { name: 'pairing-failed', hash: '#pair=used', text: 'Sign-in failed', isSignedOut: true },
];

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
