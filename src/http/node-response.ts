import type { ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.js';

/** Answers are for one caller and no page of another site. */
const always: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

export interface WriteSettings {
  readonly clock: Clock;
  /** How long a client may leave its answer unread. */
  readonly stallMs: number;
}

/** Most calls are answered within this time. Their headers and body are sent together, which wakes the client once. */
const promptMs = 10;

/** Sends the headers almost at once and the body as it comes, no faster than the client reads. */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  settings: WriteSettings,
): Promise<void> {
  const { status, headers, body } = response;
  // A stream would never learn it from an event that is over.
  if (outgoing.destroyed) return body?.cancel();
  outgoing.writeHead(status, { ...always, ...Object.fromEntries(headers) });
  if (body === null) return end(outgoing, settings);
  const stopWaiting = settings.clock.after(promptMs, () => outgoing.flushHeaders());
  const reader = body.getReader();
  // Otherwise a stream without news would keep its resources after the client has left.
  outgoing.once('close', () => {
    stopWaiting();
    void reader.cancel().catch(() => undefined);
  });
  for (;;) {
    const { done, value } = await reader.read();
    stopWaiting();
    if (done || outgoing.destroyed) break;
    // Joined with what follows immediately, such as the end.
    outgoing.cork();
    setImmediate(() => outgoing.uncork());
    if (!outgoing.write(value)) await drained(outgoing, settings);
  }
  end(outgoing, settings);
}

/** Also the end of an answer must be read. */
function end(outgoing: ServerResponse, { clock, stallMs }: WriteSettings): void {
  const watch = (): void => {
    const stop = clock.after(stallMs, () => outgoing.destroy());
    outgoing.once('finish', stop).once('close', stop);
  };
  outgoing.end();
  if (outgoing.destroyed || outgoing.writableFinished) return;
  // Without a socket, it waits for an earlier answer on the same connection.
  if (outgoing.socket === null) outgoing.once('socket', watch);
  else watch();
}

/** Resolves when the client has read enough, or is gone. A client that stops reading is disconnected. */
function drained(outgoing: ServerResponse, { clock, stallMs }: WriteSettings): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(stallMs, () => outgoing.destroy());
    const finish = (): void => {
      stop();
      outgoing.off('drain', finish).off('close', finish);
      resolve();
    };
    outgoing.once('drain', finish).once('close', finish);
    if (outgoing.destroyed) finish();
  });
}
