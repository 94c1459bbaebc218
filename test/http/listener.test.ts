import { get as getTls } from 'node:https';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { IncomingMessage, ServerResponse } from 'node:http';
import { writeResponse } from '../../src/http/node-response.js';
import type { Routes } from '../../src/http/routes.js';
import { FakeClock } from '../kit/fake-clock.js';
import { createCertificate } from '../kit/certificate.js';
import { deferred } from '../kit/deferred.js';
import { exchange, listenFor, rawConnection } from '../kit/http.js';

const ok: Routes = async () => new Response('fine');

async function answers(origin: string): Promise<string> {
  return (await fetch(origin)).text();
}

/** A request that the client has begun and does not finish. */
const half = {
  headers: 'POST / HTTP/1.1\r\nHost: x\r\nContent-',
  body: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"json',
} as const;

describe('a client that stalls', () => {
  it.each(['headers', 'body'] as const)('is disconnected when it sends half of its %s', async (part) => {
    const readsBody: Routes = async (request) => new Response(await request.text());
    const { port, origin } = await listenFor(readsBody, { limits: { headersMs: 100, requestMs: 100 } });
    const client = await rawConnection(port);

    client.send(half[part]);
    const received = await client.ended;

    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect((await fetch(origin, { method: 'POST', body: 'next' })).status).toBe(200);
  });

  it('is disconnected when it does not read its answer', async () => {
    const clock = new FakeClock();
    const cancelled = deferred<string>();
    const endless: Routes = async () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => cancelled.resolve('cancelled'),
        }),
      );
    const { port } = await listenFor(endless, { clock, limits: { stallMs: 30_000 } });
    const client = await rawConnection(port);
    client.socket.pause();

    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await clock.pass(30_000);

    expect(await cancelled.promise).toBe('cancelled');
    expect(clock.pendingTimers).toBe(0);
  });

  it('is disconnected when it does not read the end of its answer', async () => {
    const clock = new FakeClock();
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    const unread = new Duplex({ read: () => undefined, write: () => undefined }) as Socket;
    outgoing.assignSocket(unread);

    await writeResponse(new Response('short'), outgoing, { clock, stallMs: 30_000 });
    const before = unread.destroyed;
    clock.advance(30_000);

    expect([before, unread.destroyed]).toEqual([false, true]);
  });
});

describe('a stream whose client has left before it began', () => {
  it('is cancelled', async () => {
    const [arrived, cancelled] = [deferred(), deferred<string>()];
    const source = new ReadableStream({ cancel: () => cancelled.resolve('cancelled') });
    const { port } = await listenFor(async (_request, { closed }) => {
      arrived.resolve();
      await closed;
      return new Response(source);
    });
    const client = await rawConnection(port);
    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;

    client.socket.resetAndDestroy();

    expect(await cancelled.promise).toBe('cancelled');
  });
});

describe('requests that a client sends without waiting for an answer', () => {
  it('are at most 20, and end with the connection beyond that', async () => {
    let count = 0;
    const { port, origin } = await listenFor(async (request) => {
      if (request.url.endsWith('/next')) return new Response('fine');
      count += 1;
      return new Promise(() => undefined);
    });
    const client = await rawConnection(port);

    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
    const received = await client.ended;

    expect([count, received, await answers(`${origin}/next`)]).toEqual([20, '', 'fine']);
  });

  it('all end when the client leaves', async () => {
    const ends: Promise<void>[] = [];
    const arrived = deferred();
    const { port } = await listenFor((_request, { closed }) => {
      if (ends.push(closed) === 3) arrived.resolve();
      return new Promise(() => undefined);
    });
    const client = await rawConnection(port);

    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    await arrived.promise;
    client.socket.resetAndDestroy();

    await expect(Promise.all(ends)).resolves.toHaveLength(3);
  });

  it('are answered in their order', async () => {
    const { port } = await listenFor(async ({ url }) => new Response(new URL(url).pathname));
    const client = await rawConnection(port);

    client.send('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    expect((await client.ended).match(/^\/\d$/gm)).toEqual(['/1', '/2']);
  });
});

describe('a request that is answered before its body has arrived', () => {
  it('is answered, and its connection ends if the rest does not come', async () => {
    const clock = new FakeClock();
    const { port } = await listenFor(async () => new Response('no', { status: 401 }), {
      clock,
      limits: { lingerMs: 2_000 },
    });
    const client = await rawConnection(port);

    client.send(half.body);
    const received = await client.until('no');
    await clock.pass(2_000);

    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(await client.ended).toBe(received);
  });

  it('keeps its connection if the rest comes', async () => {
    const { port } = await listenFor(ok);
    const client = await rawConnection(port);

    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
    await client.until('fine');
    client.send('67890GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    expect((await client.ended).match(/^HTTP.*$/gm)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  });
});

describe('a malformed request', () => {
  it.each([
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a host that is no name', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['the target of a proxy', 'GET http://elsewhere.example/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an asterisk as target', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('is refused: %s', async (_name, text, status) => {
    const { port, origin } = await listenFor(ok);
    const client = await rawConnection(port);

    client.send(text);

    expect(await client.until('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await answers(origin)).toBe('fine');
  });
});

describe('more connections than allowed', () => {
  it('replace the oldest one without a running request', async () => {
    const { port, origin } = await listenFor(ok, { limits: { maxConnections: 3 } });
    const idle = [await rawConnection(port), await rawConnection(port), await rawConnection(port)];
    idle[1]?.send(half.headers);

    const answered = await answers(origin);

    expect(answered).toBe('fine');
    expect(await idle[0]?.ended).toBe('');
    expect(idle.map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  });

  it('replace those whose sender is not known, even in the middle of a request', async () => {
    const arrived = deferred();
    let count = 0;
    const routes: Routes = (request) => {
      count += 1;
      if (request.method === 'GET') return ok(request, exchange);
      arrived.resolve();
      return new Promise(() => undefined);
    };
    const { port, origin } = await listenFor(routes, { limits: { maxConnections: 1 } });
    const stalled = await rawConnection(port);
    stalled.send('POST /api/pair HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await arrived.promise;

    const answered = await answers(origin);

    expect([answered, count]).toEqual(['fine', 2]);
    expect(await stalled.ended).toBe('');
  });

  it('are reported once a minute', async () => {
    const clock = new FakeClock();
    const logged: string[] = [];
    const arrived = deferred();
    const waits: Routes = (_request, { admitted }) => {
      admitted?.();
      arrived.resolve();
      return new Promise(() => undefined);
    };
    const logger = { log: (_level: string, message: string) => void logged.push(message) };
    const { port } = await listenFor(waits, { clock, logger, limits: { maxConnections: 1 } });
    const waiting = await rawConnection(port);
    waiting.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    const refuse = async (): Promise<number> => {
      const refused = await rawConnection(port);
      await refused.ended;
      return logged.length;
    };

    const counts = [await refuse(), await refuse()];
    clock.advance(60_000);
    counts.push(await refuse());

    expect(counts).toEqual([1, 1, 2]);
    expect(logged[0]).toBe('connections are refused, because too many requests are running');
  });

  it('are refused while all others wait for an answer', async () => {
    const waits = deferred<Response>();
    const arrived = deferred();
    const { port } = await listenFor(
      (_request, { admitted }) => {
        admitted?.();
        arrived.resolve();
        return waits.promise;
      },
      { limits: { maxConnections: 1 } },
    );
    const waiting = await rawConnection(port);
    waiting.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;

    const refused = await rawConnection(port);

    expect(await refused.ended).toBe('');
    waits.resolve(new Response('late'));
    expect(await waiting.until('late')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may drop a thousand times', async () => {
    const { port, origin } = await listenFor(ok, { limits: { maxConnections: 100 } });

    const drop = async (): Promise<void> => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(half.body, () => socket.resetAndDestroy());
      await once(socket, 'close');
    };
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, drop));

    expect(await answers(origin)).toBe('fine');
  });
});

describe('an answer that ends its connection', () => {
  it('discards the requests that were sent behind it', async () => {
    const paths: string[] = [];
    const { port } = await listenFor(async ({ url }) => {
      paths.push(new URL(url).pathname);
      return new Response('', { status: 429, headers: { connection: 'close' } });
    });
    const client = await rawConnection(port);

    client.send(Array.from({ length: 20 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    const received = await client.ended;

    expect(received.match(/HTTP\/1\.1 429 /g)).toHaveLength(1);
    expect(paths[0]).toBe('/0');
  });
});

describe('an answer', () => {
  it('begins before its first byte is known', async () => {
    const { origin } = await listenFor(async () => new Response(new ReadableStream()));

    const response = await fetch(origin);

    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it('that is complete at once is sent in one piece', async () => {
    const { port } = await listenFor(async () => new Response(ReadableStream.from([new Uint8Array([65])])));
    const client = await rawConnection(port);
    let pieces = 0;
    client.socket.on('data', () => (pieces += 1));

    client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const received = await client.ended;

    expect(received).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n1\r\nA\r\n0\r\n\r\n$/);
    expect(pieces).toBe(1);
  });

  it('is cancelled as soon as the client leaves', async () => {
    const cancelled = deferred<string>();
    const { origin } = await listenFor(
      async () => new Response(new ReadableStream({ cancel: () => cancelled.resolve('cancelled') })),
    );
    const response = await fetch(origin);

    await response.body?.cancel();

    expect(await cancelled.promise).toBe('cancelled');
  });

  it('is for its reader only', async () => {
    const { origin } = await listenFor(ok);

    const { headers } = await fetch(origin);

    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('hides the reason of a failure, which is in the log', async () => {
    const lines: unknown[] = [];
    const { origin } = await listenFor(() => Promise.reject(new Error('secret')), {
      logger: { log: (...line) => void lines.push(line) },
    });

    const response = await fetch(origin);

    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(lines).toEqual([['error', 'an HTTP request failed', { reason: 'secret' }]]);
  });
});

describe('the address of the peer', () => {
  const showsPeer: Routes = async (_request, { peer }) => new Response(peer);

  it.each([
    ['is that of the connection', false, '203.0.113.9', '127.0.0.1'],
    ['is the last that the proxy names', true, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['is that of the proxy if it names none', true, 'unknown', '127.0.0.1'],
  ])('%s', async (_name, isBehindProxy, forwarded, expected) => {
    const { origin } = await listenFor(showsPeer, { isBehindProxy });

    const response = await fetch(origin, { headers: { 'x-forwarded-for': forwarded } });

    expect(await response.text()).toBe(expected);
  });
});

describe('a listener with a certificate', () => {
  it('answers over TLS, and with a renewed certificate on new connections', async () => {
    const [first, second] = [createCertificate('one'), createCertificate('two')];
    const listener = await listenFor(ok, { tls: first });

    const before = await certificateOf(listener.origin);
    listener.renew(second);
    const after = await certificateOf(listener.origin);

    expect(listener.origin).toMatch(/^https:/);
    expect([before, after]).toEqual(['one', 'two']);
  });
});

async function certificateOf(origin: string): Promise<string> {
  const request = getTls(origin, { rejectUnauthorized: false, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  const socket = response.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } };
  const { CN: name } = socket.getPeerCertificate().subject;
  await once(response, 'end');
  return name;
}

describe('the signal of a request', () => {
  it('stays quiet when its answer is complete', async () => {
    const seen = deferred<{ readonly signal: AbortSignal; readonly closed: Promise<void> }>();
    const { origin } = await listenFor(async ({ signal }, { closed }) => {
      seen.resolve({ signal, closed });
      return new Response('fine');
    });

    const answer = await answers(origin);
    const { signal, closed } = await seen.promise;
    await closed;

    expect({ answer, isAborted: signal.aborted }).toEqual({ answer: 'fine', isAborted: false });
  });

  it('aborts when the client leaves before the end of its answer', async () => {
    const seen = deferred<{ readonly signal: AbortSignal; readonly closed: Promise<void> }>();
    const { port } = await listenFor(async ({ signal }, { closed }) => {
      seen.resolve({ signal, closed });
      return new Response(new ReadableStream({}));
    });
    const client = await rawConnection(port);

    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const { signal, closed } = await seen.promise;
    client.socket.destroy();
    await closed;

    expect(signal.aborted).toBe(true);
  });
});
