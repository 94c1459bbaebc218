/** The page in a real browser: how soon a request is visible after its event has arrived, and what a browser loads. */
import type { Page } from 'playwright-core';
import type { Card } from '../../src/page/contract.js';
import { launchBrowser } from '../kit/browser.js';
import { maxPageSizes, pageSizes } from '../kit/page-sizes.js';
import { desk, openPage } from '../web/browser.js';
import { FakeDoor } from '../web/fake-door.js';
import { commandCard, editCard } from '../web/samples.js';
import { defineRow } from './row.js';
import { describeTimes, minimum } from './timing.js';

const ROUNDS = 15;

/** Notes when the bytes of a request arrive, and when its card is painted. */
const clock = `
  globalThis.arrived = new Map();
  globalThis.painted = new Map();
  const load = fetch;
  globalThis.fetch = async (address, init) => {
    const response = await load(address, init);
    if (!String(address).startsWith('/api/stream')) return response;
    const decoder = new TextDecoder();
    const noted = new TransformStream({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        for (const [, id] of text.matchAll(/"requestId":"(bench-\\d+)"/g))
          if (!arrived.has(id)) arrived.set(id, performance.now());
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(noted), response);
  };
  globalThis.paintTime = async (id) => {
    while (painted.get(id) === undefined) await new Promise((resolve) => requestAnimationFrame(resolve));
    return painted.get(id) - arrived.get(id);
  };
  new MutationObserver(() => {
    for (const { dataset } of document.querySelectorAll('[data-request]')) {
      const id = dataset.request;
      if (painted.has(id)) continue;
      painted.set(id, undefined);
      requestAnimationFrame(() => requestAnimationFrame(() => painted.set(id, performance.now())));
    }
  }).observe(document, { childList: true, subtree: true });
`;

export const page = defineRow({
  name: 'page',
  budget: {
    request: { what: 'request visible after its event arrives', max: 0.3, unit: 's' },
    longDiff: { what: 'the same with a diff of 2,000 lines', max: 0.3, unit: 's' },
    pageBytes: { what: 'page with its libraries, gzipped', max: maxPageSizes.page, unit: 'bytes' },
    viewBytes: { what: 'view of MCP Apps, gzipped', max: maxPageSizes.view, unit: 'bytes' },
  },
  async measure() {
    const door = await FakeDoor.start();
    const browser = await launchBrowser();
    try {
      const opened = await openPage(browser, door, '', { ...desk, script: clock });
      await opened.page.getByText('All clear').waitFor();
      const short: number[] = [];
      const long: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        short.push(await show(opened.page, door, commandCard({ requestId: `bench-${2 * round}` })));
        long.push(await show(opened.page, door, longDiff(`bench-${2 * round + 1}`)));
      }
      const { page: pageBytes, view: viewBytes } = pageSizes();
      return {
        values: { request: minimum(short) / 1_000, longDiff: minimum(long) / 1_000, pageBytes, viewBytes },
        detail: `command: ${describeTimes(short)}; diff: ${describeTimes(long)}`,
      };
    } finally {
      await browser.close();
      await door.close();
    }
  },
});

/** Asks on an empty inbox, and empties it again. Returns the time in milliseconds. */
async function show(visible: Page, door: FakeDoor, card: Card): Promise<number> {
  const { requestId, sessionId } = card;
  door.ask(card);
  const time = await visible.evaluate<number>(`paintTime('${requestId}')`);
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
