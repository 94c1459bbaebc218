import type { Share } from './body/room.js';
import type { Exchange } from './exchange.js';

/** Takes a lease, which calls `end` when the credential ends. The returned function releases it. */
export type Hold = (end: () => void) => () => void;

export interface LeaseOptions {
  readonly hold: Hold;
  /** For what the client has not read. */
  readonly unread: Share;
}

/** What keeping a chunk takes besides its bytes. */
const chunkBytes = 200;

/**
 * Ends a streamed answer when the credential of its request ends, or when too much of it is unread: the SDK adds messages
 * regardless of whether anyone reads them. Other answers are complete already.
 */
export function leased(response: Response, { closed }: Exchange, { hold, unread }: LeaseOptions): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
  const chunks = new UnreadChunks(body.getReader(), unread);
  const release = hold(() => chunks.end('the credential of this request has ended'));
  const end = (reason: unknown): void => {
    release();
    chunks.end(reason);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await chunks.next();
        if (chunk !== undefined) return controller.enqueue(chunk);
        end('it is complete');
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  // Nobody cancels the answer to a client that has left before it began.
  void closed.then(() => end('the client has left'));
  return new Response(stream, { status, headers });
}

/** Takes chunks as soon as they are there, so that their number is known. */
class UnreadChunks {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #unread: Share;
  #chunks: Uint8Array[] = [];
  /** Of the chunk that is being sent. */
  #sentBytes = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, unread: Share) {
    this.#reader = reader;
    this.#unread = unread;
    void this.#collect().catch(() => this.#finish());
  }

  /** Called when the earlier chunk has been sent. Undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    this.#unread.give(this.#sentBytes);
    this.#sentBytes = 0;
    while (this.#chunks.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) this.#sentBytes = chunk.byteLength + chunkBytes;
    return chunk;
  }

  /** Drops what is unread. */
  end(reason: unknown): void {
    this.#chunks = [];
    this.#unread.end();
    this.#finish();
    void this.#reader.cancel(reason).catch(() => undefined);
  }

  async #collect(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (this.#isOver) return;
      if (done) return this.#finish();
      if (!this.#unread.take(value.byteLength + chunkBytes)) return this.end('too much is unread');
      this.#chunks.push(value);
      this.#wake();
    }
  }

  #finish(): void {
    this.#isOver = true;
    this.#wake();
  }
}
