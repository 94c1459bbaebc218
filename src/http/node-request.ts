import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Converts a request without reading its body, so that a request that is refused costs no memory. Undefined when it
 * cannot be converted.
 */
export function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '', headers } = incoming;
  // Only proxies receive absolute targets.
  if (!url.startsWith('/')) return undefined;
  const isWithoutBody = method === 'GET' || method === 'HEAD';
  try {
    return new Request(`http://${headers.host ?? ''}${url}`, {
      method,
      headers: toWebHeaders(incoming),
      signal,
      ...(isWithoutBody ? {} : { body: bodyOf(incoming), duplex: 'half' }),
    });
  } catch {
    return undefined;
  }
}

/** A proxy appends the address of its client, so only the last one is certain. */
export function peerOf(incoming: IncomingMessage, isBehindProxy: boolean): string {
  const { headers, socket } = incoming;
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  if (isBehindProxy && forwarded !== undefined && isIP(forwarded) !== 0) return forwarded;
  return socket.remoteAddress ?? '';
}

function toWebHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  // Destroying the request would also close the connection, before the client has read why.
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
