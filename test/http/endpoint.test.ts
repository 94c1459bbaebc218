import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/http/endpoint.js';
import { deferred } from '../kit/deferred.js';
import { FakeClock } from '../kit/fake-clock.js';
import { endpointOf, origin, owner } from '../kit/http.js';

const factory: McpServerFactory = () => new McpServer({ name: 'tiny', version: '1.0.0' });
const open = {
  closed: new Promise<void>(() => undefined),
  peer: '127.0.0.1',
  refuseEnded: async () => undefined,
  note: () => undefined,
};
const complete = { ...open, closed: Promise.resolve() };

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

function post(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Returns the id of a new connection of the 2025 protocols. */
async function initialized(endpoint: Endpoint): Promise<string> {
  const response = await endpoint.fetch(post(initialize), owner, complete);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

async function statusOfPing(endpoint: Endpoint, id: string, exchange = complete): Promise<number> {
  return (await endpoint.fetch(post(ping, { 'mcp-session-id': id }), owner, exchange)).status;
}

describe('a body', () => {
  it.each([
    ['in the modern era', { 'mcp-protocol-version': '2026-07-28' }],
    ['in the legacy era', {}],
  ])('over the limit is refused %s', async (_era, headers) => {
    const endpoint = endpointOf(factory, { maxBodyBytes: 1_000 });

    const response = await endpoint.fetch(
      post({ ...ping, params: 'x'.repeat(1_000) }, headers),
      owner,
      complete,
    );

    expect(response.status).toBe(413);
  });

  it.each([
    ['in the modern era', { 'mcp-protocol-version': '2026-07-28' }],
    ['in the legacy era', {}],
  ])('of many values is refused before it is read, %s', async (_era, headers) => {
    const endpoint = endpointOf(factory);
    const many = Array.from({ length: 20_001 }, () => 0);

    const refused = await endpoint.fetch(post({ ...ping, params: { many } }, headers), owner, complete);
    const text = await refused.text();

    expect([refused.status, text]).toEqual([413, expect.stringContaining('more than 20,000 values')]);
  });

  it('of a principal that has many long ones running is refused, unless it is short', async () => {
    const endpoint = endpointOf(factory, { maxBodyBytes: 4_194_304 });
    const long = { ...ping, params: { x: 'x'.repeat(4_000_000) } };
    const end = deferred();
    const noted: string[] = [];
    const running = { ...open, closed: end.promise, note: (reason: string) => void noted.push(reason) };
    const statusOf = async (body: unknown, exchange = running): Promise<number> =>
      (await endpoint.fetch(post(body, { 'mcp-session-id': 'none' }), owner, exchange)).status;

    const first = await Promise.all(Array.from({ length: 17 }, () => statusOf(long)));
    const notedBefore = noted.length;
    const tooMany = await statusOf(long);
    const short = await statusOf({ ...ping, params: { x: 'x'.repeat(60_000) } });
    end.resolve();
    const later = await statusOf(long, open);

    // Unknown connections: these were read.
    expect({ first: new Set(first), tooMany, short, later }).toEqual({
      first: new Set([404]),
      tooMany: 429,
      short: 404,
      later: 404,
    });
    expect([notedBefore, noted]).toEqual([0, ['too_many_requests']]);
  });

  it.each([
    ['long text', { text: 'x'.repeat(70_000) }],
    ['many values', { list: Array.from({ length: 600 }, () => ({})) }],
  ])('that opens a connection of the 2025 protocols has no %s', async (_what, x) => {
    const endpoint = endpointOf(factory);
    const capabilities = { experimental: { x } };
    const { params } = initialize;

    const refused = await endpoint.fetch(
      post({ ...initialize, params: { ...params, capabilities } }),
      owner,
      complete,
    );

    expect(refused.status).toBe(413);
    expect(await initialized(endpoint)).not.toBe('');
  });

  it.each([
    ['id', { ...ping, id: 'x'.repeat(201) }],
    ['id in a batch', [ping, { ...ping, id: 'x'.repeat(201) }]],
    ['progress token', { ...ping, params: { _meta: { progressToken: 'x'.repeat(201) } } }],
  ])('with a long %s, which every message about it would repeat, is refused', async (_what, body) => {
    const endpoint = endpointOf(factory);
    const id = await initialized(endpoint);

    const answers = [
      await endpoint.fetch(post(body, { 'mcp-session-id': id }), owner, complete),
      await endpoint.fetch(post(body, { 'mcp-protocol-version': '2026-07-28' }), owner, complete),
    ];
    const longest = await endpoint.fetch(
      post({ ...ping, id: 'x'.repeat(200) }, { 'mcp-session-id': id }),
      owner,
      complete,
    );

    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    for (const text of texts) expect(text).toContain('at most 200 characters');
    expect(longest.status).toBe(200);
  });

  it('in many chunks is refused', async () => {
    const endpoint = endpointOf(factory);
    const send = (chunks: number): Promise<Response> => {
      const body = ReadableStream.from(Array.from({ length: chunks }, () => new Uint8Array([0x20])));
      const { url, headers } = post(ping);
      const init = { method: 'POST', headers, body, duplex: 'half' } as const;
      return endpoint.fetch(new Request(url, init), owner, complete);
    };

    expect([(await send(20_001)).status, (await send(20_000)).status]).toEqual([413, 400]);
  });

  it.each(['{', '', 'null', '[]', '{"jsonrpc":"2.0"}'])('that is no message is refused: %s', async (body) => {
    const response = await endpointOf(factory).fetch(post(body), owner, complete);

    expect(response.status).toBe(400);
  });
});

it('begins requests of several senders in turn, however many each sends', async () => {
  const begun: string[] = [];
  const endpoint = endpointOf(({ authInfo }) => {
    begun.push(String(authInfo?.extra?.['credential']));
    return factory({ era: 'legacy' });
  });
  const send = (credential: string): Promise<Response> =>
    endpoint.fetch(post(initialize), { ...owner, credential }, complete);

  const senders = ['script', 'script', 'script', 'script', 'person'];
  await Promise.all(senders.map((name) => send(name)));

  expect(begun).toEqual(['script', 'script', 'person', 'script', 'script']);
});

it('reads long bodies of several senders in turn', async () => {
  const read: string[] = [];
  const endpoint = endpointOf(factory);
  const long = { ...ping, params: { x: 'x'.repeat(100_000) } };
  const send = (credential: string): Promise<Response> =>
    endpoint.fetch(
      post(long, { 'mcp-session-id': 'none' }),
      { ...owner, credential },
      { ...complete, refuseEnded: async () => void read.push(credential) },
    );

  const senders = ['script', 'script', 'script', 'script', 'person'];
  await Promise.all(senders.map((name) => send(name)));

  expect(read).toHaveLength(5);
  expect(read.indexOf('person')).toBeLessThan(3);
});

it('begins the calls of a batch in turn, so that others wait for one of them only', async () => {
  const begun: string[] = [];
  const endpoint = endpointOf(({ authInfo }) => {
    const server = new McpServer({ name: 'noting', version: '1.0.0' });
    const note = async (): Promise<{ content: [] }> => {
      begun.push(String(authInfo?.extra?.['credential']));
      return { content: [] };
    };
    server.registerTool('note', {}, note);
    return server;
  });
  const [script, person] = [
    { ...owner, credential: 'script' },
    { ...owner, credential: 'person' },
  ];
  const idOf = async (identity: typeof owner): Promise<string> => {
    const params = { ...initialize.params, protocolVersion: '2025-03-26' };
    const opened = await endpoint.fetch(post({ ...initialize, params }), identity, complete);
    await opened.text();
    return opened.headers.get('mcp-session-id') ?? '';
  };
  const [ofScript, ofPerson] = [await idOf(script), await idOf(person)];
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'note' } });

  const answers = await Promise.all([
    endpoint.fetch(post([1, 2, 3, 4].map(call), { 'mcp-session-id': ofScript }), script, complete),
    endpoint.fetch(post(call(1), { 'mcp-session-id': ofPerson }), person, complete),
  ]);
  const [batch = ''] = await Promise.all(answers.map((answer) => answer.text()));

  expect(begun).toEqual(['script', 'person', 'script', 'script', 'script']);
  expect(batch.match(/"id":\d/g)).toEqual(['"id":1', '"id":2', '"id":3', '"id":4']);
});

describe('connections of the 2025 protocols', () => {
  it('end after some time without use', async () => {
    const clock = new FakeClock();
    const endpoint = endpointOf(factory, { clock, legacyIdleMs: 60_000 });
    const id = await initialized(endpoint);

    const before = await statusOfPing(endpoint, id);
    clock.advance(180_000);
    const after = await statusOfPing(endpoint, id);

    expect([before, after]).toEqual([200, 404]);
  });

  it('do not end while a call waits', async () => {
    const clock = new FakeClock();
    const endpoint = endpointOf(factory, { clock, legacyIdleMs: 60_000 });
    const id = await initialized(endpoint);

    await statusOfPing(endpoint, id, open);
    clock.advance(180_000);

    expect(await statusOfPing(endpoint, id)).toBe(200);
  });

  it('replace the one that was unused for the longest time when there are too many', async () => {
    const clock = new FakeClock();
    const endpoint = endpointOf(factory, { clock, maxLegacySessions: 2 });
    const first = await initialized(endpoint);
    clock.advance(1);
    const second = await initialized(endpoint);
    clock.advance(1);
    await statusOfPing(endpoint, first);

    const third = await initialized(endpoint);

    expect([
      await statusOfPing(endpoint, first),
      await statusOfPing(endpoint, second),
      await statusOfPing(endpoint, third),
    ]).toEqual([200, 404, 200]);
  });

  it('leave no timer behind when the client ends them', async () => {
    const clock = new FakeClock();
    const endpoint = endpointOf(factory, { clock });
    const timers = clock.pendingTimers;
    const id = await initialized(endpoint);
    const stream = deferred();
    const headers = { 'mcp-session-id': id, accept: 'text/event-stream' };
    const get = new Request(`${origin}/mcp`, { headers });
    const opened = await endpoint.fetch(get, owner, { ...open, closed: stream.promise });

    const end = new Request(`${origin}/mcp`, { method: 'DELETE', headers });
    const ended = await endpoint.fetch(end, owner, complete);
    stream.resolve();
    await opened.text();

    expect([opened.status, ended.status, clock.pendingTimers]).toEqual([200, 200, timers]);
  });

  it('are refused while all others have a waiting call', async () => {
    const endpoint = endpointOf(factory, { maxLegacySessions: 1 });
    await statusOfPing(endpoint, await initialized(endpoint), open);

    const response = await endpoint.fetch(post(initialize), owner, complete);

    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { message: 'Too many open connections. Close one, or try again later.' } },
    ]);
  });
});
