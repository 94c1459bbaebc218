/** The page in a real browser: how soon a request is visible after its event has arrived, and what a browser loads. */
import type { Page } from 'playwright-core';
import type { Card } from '../../src/page/contract.js';
import { launchBrowser } from '../kit/browser.js';
import { maxPageSizes, pageSizes } from '../kit/page-sizes.js';
import { desk, openPage } from '../web/browser.js';
import { FakeDoor } from '../web/fake-door.js';
import { commandCard, editCard } from '../web/samples.js';
import { measureLive } from './page-live.js';
import { paintClock, paintTime } from './page-paint.js';
import { measureScrolling } from './page-scroll.js';
import { defineRow } from './row.js';
import { describeTimes, minimum, ms } from './timing.js';

const ROUNDS = 15;

export const page = defineRow({
  name: 'page',
  budget: {
    request: { what: 'request visible after its event arrives', max: 0.3, unit: 's' },
    longDiff: { what: 'the same with a diff of 2,000 lines', max: 0.3, unit: 's' },
    live: { what: 'the same from a real session, p50', max: 0.3, unit: 's' },
    liveMax: { what: 'the same from a real session, slowest', max: 0.3, unit: 's' },
    frame: { what: 'frame while 10,000 events scroll, p95', max: 34, unit: 'ms' },
    pageBytes: { what: 'page with its libraries, gzipped', max: maxPageSizes.page, unit: 'bytes' },
    viewBytes: { what: 'view of MCP Apps, gzipped', max: maxPageSizes.view, unit: 'bytes' },
  },
  async measure() {
    // First, because it fails where no browser is installed: an open door would then keep the bench from exiting.
    const browser = await launchBrowser();
    const door = await FakeDoor.start();
    try {
      const opened = await openPage(browser, door, '', { ...desk, script: paintClock });
      await opened.page.getByText('All clear').waitFor();
      const short: number[] = [];
      const long: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        short.push(await show(opened.page, door, commandCard({ requestId: `bench-${2 * round}` })));
        long.push(await show(opened.page, door, longDiff(`bench-${2 * round + 1}`)));
      }
      await opened.page.context().close();
      const live = (await measureLive(browser)).toSorted((a, b) => a - b);
      const frames = (await measureScrolling(browser)).toSorted((a, b) => a - b);
      const [p50, slowest] = [part(live, 0.5), part(live, 1)];
      const [p95, longest] = [part(frames, 0.95), part(frames, 1)];
      const { page: pageBytes, view: viewBytes } = pageSizes();
      return {
        values: {
          request: minimum(short) / 1_000,
          longDiff: minimum(long) / 1_000,
          live: p50 / 1_000,
          liveMax: slowest / 1_000,
          frame: p95,
          pageBytes,
          viewBytes,
        },
        detail: [
          `command: ${describeTimes(short)}`,
          `diff: ${describeTimes(long)}`,
          `real session: ${live.length} requests, p50 ${ms(p50)}, slowest ${ms(slowest)}`,
          `scrolling: ${frames.length} frames, p95 ${ms(p95)}, longest ${ms(longest)}`,
        ].join('; '),
      };
    } finally {
      await browser.close();
      await door.close();
    }
  },
});

/** The value below which this part of the sorted values lies. */
function part(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Asks on an empty inbox, and empties it again. Returns the time in milliseconds. */
async function show(visible: Page, door: FakeDoor, card: Card): Promise<number> {
  const { requestId, sessionId } = card;
  door.ask(card);
  const time = await paintTime(visible, requestId);
  door.settle({ requestId, sessionId, decision: 'deny', by: 'caller', at: Date.now() });
  await visible.getByRole('button', { name: 'Clear 1 answered' }).click();
  await visible.getByText('All clear').waitFor();
  return time;
}

function longDiff(requestId: string): Card {
  const lines = Array.from({ length: 2_000 }, (_, index) => `  step(${index}, 'of ${requestId}');`);
  const changed = lines.map((line, index) => (index % 3 === 0 ? line.replace('step', 'stride') : line));
  return editCard({
    requestId,
    what: {
      type: 'edit',
      path: '/home/alice/shop/steps.ts',
      before: lines.join('\n'),
      after: changed.join('\n'),
      more: {},
    },
  });
}
