import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { StreamMessage } from '../../page/contract.js';
import type { Desk, StreamRequest } from '../../page/desk.js';
import type { Share } from '../body/room.js';
import type { Exchange } from '../exchange.js';
import type { Hold } from '../leased.js';

export interface StreamSettings {
  readonly desk: Desk;
  readonly exchange: Exchange;
  readonly hold: Hold;
  /** For the message that the page has not read. */
  readonly unread: Share;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Messages of the desk as server-sent events, until the page leaves, the device is revoked or the server ends. */
export function streamAnswer(request: Request, settings: StreamSettings): Response {
  const { desk, exchange, hold, unread, logger } = settings;
  const leaving = new AbortController();
  const messages = desk.stream(streamRequest(request), leaving.signal)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let release = (): void => undefined;
  const end = (): void => {
    release();
    unread.end();
    leaving.abort();
    void messages.return?.();
  };
  let sentBytes = 0;
  /** Called when the message before has been read. */
  const nextText = async (): Promise<Uint8Array | undefined> => {
    unread.give(sentBytes);
    sentBytes = 0;
    const { done, value } = await messages.next();
    if (done === true || leaving.signal.aborted) return undefined;
    const text = encoder.encode(eventOf(value.cursor, value.message));
    sentBytes = text.byteLength;
    // The page connects again.
    return unread.take(sentBytes) ? text : undefined;
  };
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      // A first line at once, so that proxies and browsers know that the stream has begun.
      controller.enqueue(encoder.encode(': stream\n\n'));
      release = hold(() => {
        const bye: StreamMessage = { type: 'bye', why: 'signed_out' };
        controller.enqueue(encoder.encode(eventOf('', bye)));
        controller.close();
        end();
      });
    },
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const text = await nextText();
        if (text !== undefined) return controller.enqueue(text);
        if (leaving.signal.aborted) return;
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

/** A cursor without line breaks, and JSON, which has none. */
function eventOf(cursor: string, message: StreamMessage): string {
  const id = /^[\x20-\x7e]+$/.test(cursor) ? `id: ${cursor}\n` : '';
  return `${id}data: ${JSON.stringify(message)}\n\n`;
}
