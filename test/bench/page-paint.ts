/** What the page itself notes: when a request arrives on the stream, and when its card is painted. */
import type { Page } from 'playwright-core';

/** Runs before the code of the page. */
export const paintClock = `
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
        for (const [, id] of text.matchAll(/"requestId":"([\\w-]+)"/g))
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

/** The time of one request from its arrival until it is painted, in milliseconds. Waits for it. */
export function paintTime(page: Page, requestId: string): Promise<number> {
  return page.evaluate<number>(`paintTime('${requestId}')`);
}
