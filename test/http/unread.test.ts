import { setImmediate as immediate } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { Room } from '../../src/http/body/room.js';
import { leased } from '../../src/http/leased.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, exchange, origin, routesFor } from '../kit/http.js';

const mebibyte = new Uint8Array(1_048_576);
const short = new Uint8Array(100);

/** The stream of a client, to which `send` adds messages whether it reads them or not. */
function streamIn(room: Room, closed = exchange.closed) {
  const cancelled: unknown[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const source = new ReadableStream<Uint8Array>({
    start: (own) => void (controller = own),
    cancel: (reason) => void cancelled.push(reason),
  });
  const response = new Response(source, { headers: { 'content-type': 'text/event-stream' } });
  const { body } = leased(
    response,
    { ...exchange, closed },
    { hold: () => () => undefined, unread: room.share() },
  );
  const reader = body?.getReader();
  return {
    cancelled,
    send: async (chunk: Uint8Array): Promise<void> => {
      if (cancelled.length === 0) controller?.enqueue(chunk);
      await immediate();
    },
    read: async () => (await reader?.read())?.value?.byteLength,
    leave: () => reader?.cancel('left'),
  };
}

describe('messages that a client does not read', () => {
  it('end its stream when those of its principal take too much', async () => {
    const room = new Room(4 * 1_048_576);
    const [unread, other] = [streamIn(room), streamIn(room)];

    for (let count = 0; count < 5; count += 1) await unread.send(mebibyte);
    await other.send(short);

    expect(unread.cancelled).toEqual(['too much is unread']);
    expect([await unread.read(), await other.read()]).toEqual([undefined, short.byteLength]);
  });

  it('take no room any longer when they are read, or when the client has left', async () => {
    const room = new Room(4 * 1_048_576);
    const [reading, leaving] = [streamIn(room), streamIn(room)];

    for (let count = 0; count < 3; count += 1) await leaving.send(mebibyte);
    await leaving.leave();
    const received: unknown[] = [];
    for (let count = 0; count < 20; count += 1) {
      await reading.send(mebibyte);
      received.push(await reading.read());
    }

    expect(received).toEqual(Array.from({ length: 20 }, () => mebibyte.byteLength));
    expect(reading.cancelled).toEqual([]);
  });

  it('take no room any longer once its stream has ended, although it still reads nothing', async () => {
    const room = new Room(4 * 1_048_576);
    const [unread, other] = [streamIn(room), streamIn(room)];

    for (let count = 0; count < 5; count += 1) await unread.send(mebibyte);
    for (let count = 0; count < 3; count += 1) await other.send(mebibyte);

    expect([unread.cancelled, other.cancelled]).toEqual([['too much is unread'], []]);
  });

  it('end its stream when it has left, even if it left before its answer had begun', async () => {
    const [leaves, left] = [deferred(), Promise.resolve()];
    const [early, late] = [streamIn(new Room(), left), streamIn(new Room(), leaves.promise)];
    await late.send(short);

    leaves.resolve();
    await leaves.promise;

    expect([early.cancelled, late.cancelled]).toEqual([['the client has left'], ['the client has left']]);
    expect(await late.read()).toBeUndefined();
  });

  it('are counted with what it takes to keep them, however short they are', async () => {
    const stream = streamIn(new Room(0));

    for (let count = 0; count < 400; count += 1) await stream.send(new Uint8Array(1));

    expect(stream.cancelled).toEqual(['too much is unread']);
  });
});

it('a client that left before its stream of the 2025 protocols began can open another one', async () => {
  const endpoint = endpointOf(() => new McpServer({ name: 'x', version: '1' }));
  const fetch = routesFor({ endpointOf: async () => endpoint });
  const headers = {
    host: new URL(origin).host,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const clientInfo = { name: 'x', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const opened = await fetch(new Request(`${origin}/mcp`, { method: 'POST', headers, body }), exchange);
  const id = opened.headers.get('mcp-session-id') ?? '';
  const listen = (closed: Promise<void>) =>
    fetch(new Request(`${origin}/mcp`, { headers: { ...headers, 'mcp-session-id': id } }), {
      ...exchange,
      closed,
    });

  const left = await listen(Promise.resolve());
  const again = await listen(exchange.closed);
  const second = await listen(exchange.closed);

  expect([left.status, again.status, second.status]).toEqual([200, 200, 409]);
});
