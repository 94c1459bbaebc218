import { describe, expect, it } from 'vitest';
import type { RefusalReason } from '../../src/core/observability/measurements.js';
import type { Identity } from '../../src/http/auth/identity.js';
import type { EndpointSettings } from '../../src/http/endpoint.js';
import { WorkingServer } from '../../src/mcp/working-server.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, modernMeta, origin, owner } from '../kit/http.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const [left, stays] = [Promise.resolve(), new Promise<void>(() => undefined)];

interface SceneOptions extends Partial<EndpointSettings> {
  readonly canCancel?: boolean;
}

interface Sender {
  readonly identity?: Identity;
  readonly connection?: string;
  /** Headers. */
  readonly more?: Readonly<Record<string, string>>;
}

/**
 * A connection of the 2025 protocols to a service with 20 connections, whose only tool waits until `finish`, or until it
 * is cancelled.
 */
async function waitingScene({ canCancel = true, ...settings }: SceneOptions = {}) {
  const finished = deferred();
  let begun = 0;
  let ended = 0;
  const noted: RefusalReason[] = [];
  const endpoint = endpointOf(
    () => {
      const server = new WorkingServer(
        { name: 'waiting', version: '1.0.0' },
        { capabilities: { tools: {} } },
      );
      server.setRequestHandler('tools/call', async (_request, { mcpReq: { signal } }) => {
        begun += 1;
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
        await Promise.race(canCancel ? [finished.promise, aborted] : [finished.promise]);
        ended += 1;
        return { content: [] };
      });
      return server;
    },
    { maxConnections: 20, ...settings },
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
const wait = (args = {}) => ({
  jsonrpc: '2.0',
  id: (lastId += 1),
  method: 'tools/call',
  params: { name: 'wait', arguments: args },
});
const waits = (count: number) => Array.from({ length: count }, () => wait());
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
    await expect.poll(begun).toBe(5);

    expect([tooMany.status, begunThen, most.status, another.status]).toEqual([429, 0, 200, 429]);
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

  it('count until they are done, even if their client has cancelled them', async () => {
    const { send, finish, running, noted } = await waitingScene({ canCancel: false });
    const calls = waits(5);
    const answers = await Promise.all(calls.map((call) => send(call, left)));

    await send(
      calls.map(({ id }) => cancel(id)),
      left,
    );
    await Promise.all(answers.map((response) => response.text()));
    const tooMany = await send(wait(), left);
    const runningThen = running();
    finish();

    expect([tooMany.status, runningThen, noted]).toEqual([429, 5, ['too_many_requests']]);
    await expect.poll(async () => (await send(wait(), left)).status).toBe(200);
  });

  it('keep the memory of their bodies until then', async () => {
    const { send, finish } = await waitingScene({
      canCancel: false,
      maxConnections: 100,
      maxBodyBytes: 4_194_304,
    });
    const long = () => wait({ text: 'x'.repeat(4_100_000) });

    const statuses: number[] = [];
    for (let count = 0; count < 17; count += 1) {
      const call = long();
      statuses.push((await send(call, left)).status);
      await send(cancel(call.id), left);
    }
    finish();

    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 200), 429]);
    await expect.poll(async () => (await send(long(), left)).status).toBe(200);
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

  it('have ids of their own: nothing reaches another call, and no place is lost when one is cancelled', async () => {
    const { send, begun, finish } = await waitingScene();
    const [call, other] = [wait(), wait()];

    const running = await send(call, left);
    const refused = [await send(call, left), await send([other, other], left)];
    await send(cancel(call.id), left);
    const after = await send([...waits(4), call], left);
    await expect.poll(begun).toBe(6);
    finish();

    expect([running, ...refused, after].map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect(await running.text()).toContain('The client has cancelled this request.');
    expect((await after.text()).match(/"result"/g)).toHaveLength(5);
  });

  it('that wait for their turn in a batch never begin once they are cancelled', async () => {
    const { send, begun } = await waitingScene();
    const calls = waits(3);

    const answer = await send([...calls, cancel(calls[1]?.id), cancel(calls[2]?.id)], left);
    await expect.poll(begun).toBe(1);
    const more = await send(waits(2), left);
    await expect.poll(begun).toBe(3);

    expect([answer.status, more.status]).toEqual([200, 200]);
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

/** A service of the 2026 protocol, whose completions take until `finish`, whether their client waits or not. */
function slowScene(maxConnections = 20) {
  const finished = deferred();
  let begun = 0;
  const noted: RefusalReason[] = [];
  const endpoint = endpointOf(
    () => {
      const server = new WorkingServer(
        { name: 'slow', version: '1.0.0' },
        { capabilities: { completions: {} } },
      );
      server.setRequestHandler('completion/complete', async () => {
        begun += 1;
        await finished.promise;
        return { completion: { values: [] } };
      });
      return server;
    },
    { maxConnections, maxBodyBytes: 4_194_304 },
  );
  return {
    noted,
    begun: () => begun,
    finish: () => finished.resolve(),
    /** Sends a request whose client leaves at once. */
    send: async (value = 'x', identity = owner): Promise<number> => {
      const params = {
        ref: { type: 'ref/resource', uri: 'x://{y}' },
        argument: { name: 'y', value },
        _meta: modernMeta,
      };
      const [leaving, closed] = [new AbortController(), deferred()];
      const request = new Request(`${origin}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'completion/complete' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params }),
        signal: leaving.signal,
      });
      const { status } = await endpoint.fetch(request, identity, {
        closed: closed.promise,
        peer: '127.0.0.1',
        refuseEnded: async () => undefined,
        note: (reason) => void noted.push(reason),
      });
      leaving.abort();
      closed.resolve();
      await closed.promise;
      return status;
    },
  };
}

describe('running calls of the 2026 protocol', () => {
  it('count until they are done, even if their client has left', async () => {
    const { send, begun, finish, noted } = slowScene();
    const running = [await send(), await send(), await send(), await send(), await send()];

    const [tooMany, ofAnother] = [await send(), await send('x', { ...owner, credential: 'other' })];
    const noticed = [...noted];
    finish();

    expect({ running, tooMany, ofAnother, noticed, begun: begun() }).toEqual({
      running: [200, 200, 200, 200, 200],
      tooMany: 429,
      ofAnother: 200,
      noticed: ['too_many_requests'],
      begun: 6,
    });
    await expect.poll(() => send()).toBe(200);
  });

  it('keep the memory of their bodies until then', async () => {
    const { send, finish, noted } = slowScene(100);
    const long = 'x'.repeat(4_100_000);

    const running: number[] = [];
    for (let index = 0; index < 16; index += 1) running.push(await send(long));
    const [tooMany, short] = [await send(long), await send()];
    const noticed = [...noted];
    finish();

    expect({ running: new Set(running), tooMany, short, noticed }).toEqual({
      running: new Set([200]),
      tooMany: 429,
      short: 200,
      noticed: ['too_many_requests'],
    });
    await expect.poll(() => send(long)).toBe(200);
  });
});
