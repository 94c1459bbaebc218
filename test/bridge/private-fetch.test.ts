import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { privateFetch } from '../../src/bridge/private-fetch.js';
import type { ListenerSettings } from '../../src/http/listener.js';
import { createCertificate } from '../kit/certificate.js';
import { listenFor } from '../kit/http.js';

const key = Buffer.alloc(32, 'a').toString('base64url');
const otherKey = Buffer.alloc(32, 'b').toString('base64url');
const init = { method: 'POST', headers: { authorization: 'Bearer ccm_secret' }, body: '{"id":1}' };

/** A program on the port of a service. It answers every request, and remembers what it was sent. */
async function listenWith({ tls, port = 0 }: Pick<Partial<ListenerSettings>, 'tls' | 'port'>) {
  const received: unknown[] = [];
  const listener = await listenFor(
    async (request) => {
      received.push([request.headers.get('authorization'), await request.text()]);
      return new Response('served', { headers: { 'x-kit': 'yes' } });
    },
    { tls, port },
  );
  return { listener, received, url: `https://127.0.0.1:${listener.port}/mcp` };
}

/** A program that gets the bytes of every connection, and answers with these. */
async function listenRaw(answer: string | undefined): Promise<{ url: string; bytes: () => string }> {
  let bytes = '';
  const server: Server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        bytes += data.toString('latin1');
        if (answer === undefined) socket.destroy();
        else socket.end(answer);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `https://127.0.0.1:${port}/mcp`, bytes: () => bytes };
}

it('a request reaches a service that knows the key, and its answer comes back', async () => {
  const { url, received } = await listenWith({ tls: { key } });

  const response = await privateFetch(key)(url, init);

  expect(received).toEqual([['Bearer ccm_secret', '{"id":1}']]);
  expect([response.status, response.headers.get('x-kit'), await response.text()]).toEqual([
    200,
    'yes',
    'served',
  ]);
});

it('an answer without a body has none', async () => {
  const { port } = await listenFor(async () => new Response(undefined, { status: 204 }), { tls: { key } });

  const response = await privateFetch(key)(`https://127.0.0.1:${port}/mcp`, init);

  expect([response.status, response.body]).toEqual([204, null]);
});

it('the stream of an answer ends when the request is aborted', async () => {
  const open = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([65])) });
  const { port } = await listenFor(async () => new Response(open), { tls: { key } });
  const abort = new AbortController();
  const response = await privateFetch(key)(`https://127.0.0.1:${port}/`, { signal: abort.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();

  abort.abort();

  expect(first?.value).toEqual(new Uint8Array([65]));
  await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' });
});

describe('nothing is sent', () => {
  it('to a program that knows another key, such as the service of another user', async () => {
    const { url, received } = await listenWith({ tls: { key: otherKey } });

    await expect(privateFetch(key)(url, init)).rejects.toMatchObject({ code: 'NOT_THE_SERVICE' });

    const own = await privateFetch(otherKey)(url, init);
    expect([own.status, received.length]).toEqual([200, 1]);
  });

  it('to a program that takes the port between two requests', async () => {
    const service = await listenWith({ tls: { key } });
    const send = privateFetch(key);
    await (await send(service.url, init)).text();
    await service.listener.close();
    const stranger = await listenWith({ tls: { key: otherKey }, port: service.listener.port });

    await expect(send(service.url, init)).rejects.toMatchObject({ code: 'NOT_THE_SERVICE' });

    expect([service.received.length, stranger.received.length]).toEqual([1, 0]);
  });

  it('to a program without TLS', async () => {
    const { url, bytes } = await listenRaw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

    await expect(privateFetch(key)(url, init)).rejects.toMatchObject({ code: 'NOT_THE_SERVICE' });

    expect(bytes()).not.toBe('');
    expect(bytes()).not.toContain('ccm_secret');
  });

  it('to a program that hangs up', async () => {
    const { url, bytes } = await listenRaw(undefined);

    await expect(privateFetch(key)(url, init)).rejects.toMatchObject({ code: 'NOT_THE_SERVICE' });

    expect(bytes()).not.toBe('');
  });

  it('to a program with a certificate, whether or not the system trusts it', async () => {
    const { url, received } = await listenWith({ tls: createCertificate('kit') });

    await expect(privateFetch(key)(url, init)).rejects.toMatchObject({ code: 'NOT_THE_SERVICE' });

    expect(received).toEqual([]);
  });
});

it('a client without the key does not reach the service', async () => {
  const { url, received } = await listenWith({ tls: { key } });

  await expect(fetch(url, init)).rejects.toThrow('fetch failed');
  await expect(fetch(url.replace('https', 'http'), init)).rejects.toThrow('fetch failed');

  expect(received).toEqual([]);
});

it('a service that does not run is reported as such', async () => {
  const { listener, url } = await listenWith({ tls: { key } });
  await listener.close();

  await expect(privateFetch(key)(url, init)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
