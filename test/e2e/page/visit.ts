/** A person at the page of a built server, in a real browser. */
import type { Browser, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { pairingLink } from '../../kit/page.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { until } from '../../kit/until.js';

export interface Visit {
  readonly page: Page;
  /** Errors of the page itself. */
  readonly errors: readonly string[];
  /** Opens this request. */
  readonly open: (summary: string) => Promise<Locator>;
  /** Opens this request and presses a button. Returns the outcome that the page shows. */
  readonly press: (summary: string, button: string) => Promise<string>;
}

export interface VisitOptions {
  /** The test moves the time of the page. */
  readonly hasClock?: boolean;
}

/** Pairs a browser with the link of `open --print`, and waits until it is connected. */
export async function visit(
  browser: Browser,
  sandbox: Sandbox,
  { hasClock = false }: VisitOptions = {},
): Promise<Visit> {
  const link = await until('the page runs', () => pairingLink(sandbox).catch(() => undefined));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  if (hasClock) await page.clock.install();
  await page.goto(link.href);
  await isLive(page).waitFor();

  const open = async (summary: string): Promise<Locator> => {
    await page.locator('a.item', { hasText: summary }).click();
    return page.getByRole('article').filter({ hasText: summary });
  };
  return {
    page,
    errors,
    open,
    press: async (summary, button) => {
      const card = await open(summary);
      await card.getByRole('button', { name: button, exact: true }).click();
      return outcomeOf(card);
    },
  };
}

export function isLive(page: Page): Locator {
  return page.locator('.link-state.live');
}

/** Waits until the request is settled, and returns the outcome without its time. */
export async function outcomeOf(card: Locator): Promise<string> {
  const bar = card.locator('.outcome p', { hasText: /\bat \d/ });
  const result = await bar.locator('strong').innerText();
  const who = await bar.locator('span').innerText();
  return `${result}. ${who.replace(/ at \d.*$/, '')}`;
}
