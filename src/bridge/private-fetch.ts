import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { clientTls } from '../core/shared-key.js';
import { NotConnectedError } from './failure.js';

/** A service answers within milliseconds. Another program on its port may never answer. */
const handshakeMs = 5_000;

type Destroyable = Pick<IncomingMessage, 'destroy'> | Pick<ClientRequest, 'destroy'>;

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends requests only to a service that knows the key. When a service has ended, any user of the machine can listen on
 * its port. Each request has its own connection, so each is preceded by a proof.
 */
export function privateFetch(key: string): FetchLike {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      let isProven = false;
      let stream: Destroyable;
      const abort = (): void => void stream.destroy(signal?.reason as Error);
      const outgoing = request(
        url,
        {
          ...clientTls(key),
          method,
          headers: Object.fromEntries(new Headers(headers)),
          agent: false,
        },
        (incoming) => {
          stream = incoming;
          resolve(toResponse(incoming));
        },
      );
      stream = outgoing;
      signal?.addEventListener('abort', abort, { once: true });
      outgoing.once('close', () => signal?.removeEventListener('abort', abort));
      outgoing.once('socket', (socket) => {
        socket.setTimeout(handshakeMs, () => socket.destroy(new Error('no answer')));
        socket.once('secureConnect', () => {
          isProven = true;
          socket.setTimeout(0);
        });
      });
      outgoing.once('error', (error) =>
        reject(isProven || signal?.aborted === true ? error : new NotConnectedError(error)),
      );
      outgoing.end(body);
    });
  };
}

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 500, headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (bodiless.has(status)) incoming.resume();
  const body = bodiless.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
