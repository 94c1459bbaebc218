/** The connections of one client: what they receive, and a way to cut them. */
import type { FetchLike } from '@modelcontextprotocol/client';

export interface Tap {
  readonly fetch: FetchLike;
  /** Resolves when answers to calls have contained this text that many times from now on. */
  until(text: string, times?: number): Promise<void>;
  /** Cuts all connections that are open now, as a network failure does. */
  cut(): void;
}

export function tappedFetch(): Tap {
  let received = '';
  let line = new AbortController();
  const lookers = new Set<() => void>();
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      received += decoder.decode(chunk, { stream: true });
      for (const look of lookers) look();
    }
  };
  return {
    async fetch(url, init) {
      const signals = [line.signal, ...(init?.signal instanceof AbortSignal ? [init.signal] : [])];
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      if (response.body === null || init?.method === 'GET') return response;
      const [forClient, forTest] = response.body.tee();
      // Its end is the business of the client.
      void read(forTest).catch(() => undefined);
      const { status, headers } = response;
      return new Response(forClient, { status, headers });
    },
    until: (text, times = 1) =>
      new Promise((resolve) => {
        const start = received.length;
        const look = (): void => {
          if (received.slice(start).split(text).length <= times) return;
          lookers.delete(look);
          resolve();
        };
        lookers.add(look);
        look();
      }),
    cut() {
      line.abort(new Error('The network failed'));
      line = new AbortController();
    },
  };
}
