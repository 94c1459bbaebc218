/** A service as `fetch` sees it: the test decides every answer, and reads what arrived. */
import type { FetchLike } from '@modelcontextprotocol/client';

export interface Arrived {
  /** The body of a POST. */
  readonly message: { readonly id?: unknown; readonly method?: string };
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

export interface FakeService {
  readonly fetch: FetchLike;
  readonly arrived: readonly Arrived[];
  /** The methods of all messages that arrived, and `response` for those without one. */
  methods(): string[];
}

export function fakeService(answer: (arrived: Arrived, count: number) => Response | Error): FakeService {
  const arrived: Arrived[] = [];
  return {
    arrived,
    methods: () => arrived.map(({ message }) => message.method ?? 'response'),
    async fetch(_url, init = {}) {
      if (init.method !== 'POST') return new Response(undefined, { status: 405 });
      const one = {
        message: JSON.parse(init.body as string) as Arrived['message'],
        headers: new Headers(init.headers),
        signal: init.signal ?? new AbortController().signal,
      };
      arrived.push(one);
      const answered = answer(one, arrived.length);
      if (answered instanceof Error) throw answered;
      return answered;
    },
  };
}

export const accepted = (): Response => new Response(undefined, { status: 202 });

/** A stream with these messages, which stays open unless it `ends`. */
export function stream(messages: readonly object[], { ends = true, headers = {} } = {}): Response {
  const text = messages
    .map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
    .join('');
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(`: open\n\n${text}`));
      if (ends) controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } });
}

/** What `fetch` throws when it gets no connection, or loses it. */
export function networkError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}
