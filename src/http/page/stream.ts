import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { StreamMessage } from '../../page/contract.js';
import type { Desk, StreamRequest } from '../../page/desk.js';
import type { Turn } from '../../core/text/in-parts.js';
import type { Share } from '../body/room.js';
import type { Exchange } from '../exchange.js';
import { encoded, eventOf, partsOf } from './message-parts.js';

type Bye = Extract<StreamMessage, { readonly type: 'bye' }>['why'];

export interface StreamSettings {
  readonly desk: Desk;
  readonly exchange: Exchange;
  /** Calls `end` when the stream must end. The returned function releases it. */
  readonly hold: (end: (why: Bye) => void) => () => void;
  /** Resolves when this device may make the next message, or the next part of one. */
  readonly turn: Turn;
  /** For the message that the page has not read. */
  readonly unread: Share;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Messages of the desk as server-sent events, until the page leaves, the device is revoked or the server ends. */
export function streamAnswer(request: Request, settings: StreamSettings): Response {
  const { desk, exchange, hold, turn, unread, logger } = settings;
  const leaving = new AbortController();
  const messages = desk.stream(streamRequest(request), leaving.signal, turn)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let release = (): void => undefined;
  const end = (): void => {
    release();
    unread.end();
    leaving.abort();
    void messages.return?.();
  };
  let sentBytes = 0;
  const take = (bytes: number): boolean => {
    sentBytes += bytes;
    return unread.take(bytes);
  };
  /** Called when the message before has been read. Undefined at the end, or if there is no room for the next one. */
  const nextChunks = async (): Promise<readonly Uint8Array[] | undefined> => {
    unread.give(sentBytes);
    sentBytes = 0;
    const { done, value } = await messages.next();
    if (done === true) return undefined;
    const chunks: Uint8Array[] = [];
    for (const part of partsOf(value)) {
      const bytes = leaving.signal.aborted ? undefined : await encoded(part, take, turn);
      // The page connects again.
      if (bytes === undefined) return undefined;
      chunks.push(...bytes);
    }
    return chunks;
  };
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      // A first line at once, so that proxies and browsers know that the stream has begun.
      controller.enqueue(encoder.encode(': stream\n\n'));
      release = hold((why) => {
        controller.enqueue(encoder.encode(eventOf({ type: 'bye', why })));
        controller.close();
        end();
      });
    },
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const chunks = await nextChunks();
        if (leaving.signal.aborted) return;
        if (chunks !== undefined) return chunks.forEach((chunk) => controller.enqueue(chunk));
      } catch (error) {
        logger.log('error', 'the stream of the page failed', { reason: messageOf(error) });
      }
      end();
      controller.close();
    },
    cancel: end,
  };
  // A message is made when the one before has been sent.
  const body = new ReadableStream(source, { highWaterMark: 0 });
  void exchange.closed.then(end);
  return new Response(body, {
    // Otherwise nginx collects the messages.
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  });
}

function streamRequest(request: Request): StreamRequest {
  const { searchParams } = new URL(request.url);
  const after = Number(searchParams.get('after') ?? 0);
  return {
    sessionId: searchParams.get('session') || undefined,
    after: Number.isFinite(after) && after > 0 ? after : 0,
    cursor: searchParams.get('cursor') || undefined,
  };
}
