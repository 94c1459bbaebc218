import type { Exchange } from './exchange.js';

/** Takes a lease, which calls `end` when the credential ends. The returned function releases it. */
export type Hold = (end: () => void) => () => void;

/** Ends a streamed answer when the credential of its request ends. Other answers are complete already. */
export function leased(response: Response, { closed }: Exchange, hold: Hold): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
  const reader = body.getReader();
  let release = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      release = hold(() => {
        void reader.cancel('the credential of this request has ended').catch(() => undefined);
        // It must not throw, even if the stream has failed: the other leases end after it.
        close(controller);
      });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      // A stream that the lease has ended is closed already.
      if (!done) return controller.enqueue(value);
      release();
      close(controller);
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
  void closed.then(release);
  return new Response(stream, { status, headers });
}

function close(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // It was closed before.
  }
}
