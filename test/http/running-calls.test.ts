import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { RefusalReason } from '../../src/core/observability/measurements.js';
import type { Identity } from '../../src/http/auth/identity.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, origin, owner } from '../kit/http.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const [left, stays] = [Promise.resolve(), new Promise<void>(() => undefined)];

interface Sender {
  readonly identity?: Identity;
  readonly connection?: string;
  /** Headers. */
  readonly more?: Readonly<Record<string, string>>;
}

/** A connection of the 2025 protocols to a service with 20 connections, whose only tool waits until `finish`. */
async function waitingScene() {
  const finished = deferred();
  let begun = 0;
  let ended = 0;
  const noted: RefusalReason[] = [];
  const endpoint = endpointOf(
    () => {
      const server = new McpServer({ name: 'waiting', version: '1.0.0' });
      server.registerTool('wait', {}, async ({ mcpReq: { signal } }) => {
        begun += 1;
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
        await Promise.race([finished.promise, aborted]);
        ended += 1;
        return { content: [] };
      });
      return server;
    },
    { maxConnections: 20 },
  );
  const fetch = (body: unknown, init: Record<string, string>, closed: Promise<void>, identity: Identity) => {
    const request = { method: 'POST', headers: { ...headers, ...init }, body: JSON.stringify(body) };
    const refuseEnded = async (): Promise<undefined> => undefined;
    const note = (reason: RefusalReason): void => void noted.push(reason);
    const exchange = { closed, peer: '127.0.0.1', refuseEnded, note };
    return endpoint.fetch(new Request(`${origin}/mcp`, request), identity, exchange);
  };
  const open = async (identity = owner): Promise<string> => {
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const opened = await fetch({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, {}, left, identity);
    return opened.headers.get('mcp-session-id') ?? '';
  };
  const id = await open();
  return {
    noted,
    open,
    begun: () => begun,
    running: () => begun - ended,
    finish: () => finished.resolve(),
    /** Sends a body on that connection. Its client stays until `closed`. */
    send: (body: unknown, closed = stays, { identity = owner, connection = id, more = {} }: Sender = {}) =>
      fetch(body, { 'mcp-session-id': connection, ...more }, closed, identity),
  };
}

let lastId = 0;
const wait = () => ({ jsonrpc: '2.0', id: (lastId += 1), method: 'tools/call', params: { name: 'wait' } });
const waits = (count: number) => Array.from({ length: count }, wait);
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('running calls of the 2025 protocols', () => {
  it('in a batch count like requests of their own', async () => {
    const { send, begun, noted } = await waitingScene();

    const tooMany = await send(waits(6));
    const begunThen = begun();
    const most = await send(waits(5));
    const another = await send(wait());

    expect([tooMany.status, begunThen, most.status, begun(), another.status]).toEqual([429, 0, 200, 5, 429]);
    expect(tooMany.headers.get('retry-after')).toBe('1');
    expect(noted).toEqual(['too_many_requests', 'too_many_requests']);
  });

  it('count until they are answered, even if their client has left', async () => {
    const { send, finish } = await waitingScene();
    const running = await Promise.all(waits(5).map((call) => send(call, left)));

    const tooMany = await send(wait(), left);
    finish();
    await Promise.all(running.map((response) => response.text()));

    expect([tooMany.status, (await send(wait(), left)).status]).toEqual([429, 200]);
  });

  it('count until their answer is read', async () => {
    const { send, finish } = await waitingScene();
    const read = deferred();
    finish();
    const answered = await send(waits(5), read.promise);
    await answered.text();

    const tooMany = await send(wait(), left);
    read.resolve();
    await read.promise;

    expect([tooMany.status, (await send(wait(), left)).status]).toEqual([429, 200]);
  });

  it('end when their client cancels them: their stream closes, and nothing of them is kept', async () => {
    const { send } = await waitingScene();
    const calls = waits(5);
    const running = await Promise.all(calls.map((call) => send(call, left)));

    await send(
      calls.map(({ id }) => cancel(id)),
      left,
    );
    const streams = await Promise.all(running.map((response) => response.text()));

    expect(streams.every((text) => text.includes('The client has cancelled this request.'))).toBe(true);
    expect((await send(waits(5), left)).status).toBe(200);
  });

  it('end with whatever else the cancellation says: none runs on without being counted', async () => {
    const { send, begun, running } = await waitingScene();
    const [one, two, three, ...others] = waits(5);
    await Promise.all([one, two, three, ...others].map((call) => send(call, left)));

    await send({ ...cancel(one?.id), params: { requestId: one?.id, reason: 5 } }, left);
    await send({ ...cancel(two?.id), params: { requestId: two?.id, reason: 'late', other: {} } }, left);
    await send({ ...cancel(three?.id), params: { requestId: [three?.id] } }, left);
    const more = await Promise.all(waits(3).map((call) => send(call, left)));

    expect(more.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect([begun(), running()]).toEqual([7, 5]);
  });

  it('under one id count each, also if one of them is cancelled', async () => {
    const { send, begun } = await waitingScene();
    const call = wait();

    for (const body of [call, call, cancel(call.id), cancel(call.id), call, call, call])
      await send(body, left);
    const tooMany = await send(wait(), left);

    expect([begun(), tooMany.status]).toEqual([5, 429]);
  });

  it('do not count if the transport refuses them', async () => {
    const { send } = await waitingScene();

    const refused = await send(waits(5), left, { more: { accept: 'text/plain' } });

    expect([refused.status, (await send(waits(5), left)).status]).toEqual([406, 200]);
  });

  it('of one credential leave room for another', async () => {
    const { send, open } = await waitingScene();
    const other = { ...owner, credential: 'other' };
    const connection = await open(other);
    await send(waits(5));

    expect((await send(waits(5), stays, { identity: other, connection })).status).toBe(200);
  });
});
