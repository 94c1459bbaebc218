import { describe, expect, it } from 'vitest';
import { problem } from '../../src/http/answers.js';
import { rawBridge } from '../kit/bridge.js';
import { accepted, fakeService, networkError, stream } from '../kit/fake-service.js';

const list = { id: 1, method: 'tools/list' };
const call = { id: 1, method: 'tools/call', params: { name: 'claude_code' } };

describe('a request that cannot be passed on', () => {
  it.each<[string, () => Response | Error, string]>([
    ['no service', () => networkError('ECONNREFUSED'), 'is not reachable (ECONNREFUSED). Start it with'],
    ['an unknown certificate', () => networkError('SELF_SIGNED_CERT_IN_CHAIN'), 'NODE_EXTRA_CA_CERTS'],
    ['a lost connection', () => networkError('ECONNRESET'), 'was lost (ECONNRESET)'],
    [
      'a refused token',
      () => problem(401, -32_001, 'Unknown token'),
      'refused the token (status 401). Unknown token.',
    ],
    ['too many requests', () => problem(429, -32_000, 'Slow down'), '(status 429). Slow down.'],
    ['a page of a proxy', () => new Response('<html>', { status: 502 }), '(status 502).'],
    ['another address', () => new Response('Not here', { status: 404 }), 'it ends with /mcp'],
    ['an answer that ends early', () => stream([]), 'was lost (the connection ended)'],
  ])('is answered with words: %s', async (_what, answer, words) => {
    const { fetch } = fakeService(answer);
    const client = await rawBridge({ fetch });

    client.send(call);

    expect(await client.next('error')).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining(words) as string },
    });
  });

  it('is sent again while the service is not there', async () => {
    const results = [networkError('ECONNREFUSED'), problem(503, -32_000, 'shutting down')];
    const service = fakeService((_arrived, count) => results[count - 1] ?? stream([{ id: 1, result: {} }]));
    const client = await rawBridge({ fetch: service.fetch, pausesMs: [0, 0] });

    client.send(call);

    expect(await client.next('result')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(service.methods()).toEqual(['tools/call', 'tools/call', 'tools/call']);
  });

  it.each([
    ['is sent again if it only reads', list, 2],
    ['is not sent again if it may have started something', call, 1],
  ])('after a lost connection %s', async (_what, request, times) => {
    const service = fakeService((_arrived, count) =>
      count === 1 ? networkError('ECONNRESET') : stream([{ id: 1, result: {} }]),
    );
    const client = await rawBridge({ fetch: service.fetch, pausesMs: [0] });

    client.send(request);
    await client.next(times === 1 ? 'error' : 'result');

    expect(service.arrived).toHaveLength(times);
  });
});

describe('a cancelled request', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
  const ping = { id: 2, method: 'ping' };

  it.each([
    ['ends its stream in the 2026 protocol', { name: 'claude_code', _meta }, ['tools/call', 'ping'], true],
    [
      'is reported to the service in the 2025 protocols',
      { name: 'claude_code' },
      ['tools/call', 'notifications/cancelled', 'ping'],
      false,
    ],
  ])('%s', async (_what, params, methods, isAborted) => {
    const service = fakeService(({ message }) => {
      if (message.method === 'ping') return stream([{ id: 2, result: {} }]);
      return message.method === 'tools/call' ? stream([], { ends: false }) : accepted();
    });
    const client = await rawBridge({ fetch: service.fetch });
    client.send({ id: 1, method: 'tools/call', params });
    await expect.poll(() => service.arrived.length).toBe(1);

    client.send(cancel);
    await expect.poll(() => service.arrived.length + Number(service.arrived[0]?.signal.aborted)).toBe(2);
    client.send(ping);
    await client.next('result');

    expect(service.methods()).toEqual(methods);
    expect(service.arrived[0]?.signal.aborted).toBe(isAborted);
    expect(client.received).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });
});

describe('the headers of a request', () => {
  it('contain the token, and what the 2026 protocol requires', async () => {
    const service = fakeService(() => stream([{ id: 1, result: {} }]));
    const client = await rawBridge({ fetch: service.fetch });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

    client.send({ id: 1, method: 'tools/call', params: { name: 'claude_code', _meta } });
    await client.next('result');

    expect(Object.fromEntries(service.arrived[0]?.headers ?? [])).toMatchObject({
      authorization: 'Bearer ccm_test',
      'mcp-method': 'tools/call',
      'mcp-name': 'claude_code',
      'mcp-protocol-version': '2026-07-28',
    });
  });
});
