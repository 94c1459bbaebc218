import { expect, it } from 'vitest';
import { problem } from '../../src/http/answers.js';
import { rawBridge, type RawClient } from '../kit/bridge.js';
import { accepted, fakeService, stream, type Arrived, type FakeService } from '../kit/fake-service.js';

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'kit', version: '1' } };
const form = { id: 0, method: 'elicitation/create', params: { message: 'Allow?' } };

interface LegacyService extends FakeService {
  /** Forgets its connections, as a restart does. */
  restart(): void;
}

/** A service of the 2025 protocols, which asks with every call and answers everything else at once. */
function legacyService(): LegacyService {
  let session = 1;
  const answer = ({ message, headers }: Arrived): Response => {
    const { id, method } = message;
    if (method === 'initialize')
      return stream([{ id, result: { protocolVersion: '2025-11-25' } }], {
        headers: { 'mcp-session-id': `session-${session}` },
      });
    if (headers.get('mcp-session-id') !== `session-${session}`)
      return problem(404, -32_001, 'Session not found');
    if (id === undefined || method === undefined) return accepted();
    return method === 'tools/call' ? stream([form], { ends: false }) : stream([{ id, result: {} }]);
  };
  return { ...fakeService(answer), restart: () => void (session += 1) };
}

async function initialized({ fetch }: LegacyService): Promise<RawClient> {
  const client = await rawBridge({ fetch });
  client.send({ id: 1, method: 'initialize', params });
  await client.next('result');
  client.send({ method: 'notifications/initialized' });
  return client;
}

it('progress reaches the client before the answer', async () => {
  const progress = { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } };
  const { fetch } = fakeService(() => stream([progress, { id: 1, result: {} }]));
  const client = await rawBridge({ fetch });

  client.send({
    id: 1,
    method: 'tools/call',
    params: { name: 'claude_code', _meta: { progressToken: 'p' } },
  });
  await client.next('result');

  expect(client.received).toEqual([
    { jsonrpc: '2.0', ...progress },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
});

it('a connection that the service has forgotten is opened again, with its subscriptions', async () => {
  const service = legacyService();
  const client = await initialized(service);
  client.send({ id: 2, method: 'resources/subscribe', params: { uri: 'a:b' } });
  await client.next('result');

  service.restart();
  client.send({ id: 3, method: 'tools/list' });
  await client.next('result');

  expect(client.received.map((message) => 'id' in message && message.id)).toEqual([1, 2, 3]);
  expect(service.methods().slice(3)).toEqual([
    'tools/list',
    'initialize',
    'notifications/initialized',
    'resources/subscribe',
    'tools/list',
  ]);
  expect(service.arrived[4]?.message).toMatchObject({ params });
  expect(service.arrived.at(-1)?.headers.get('mcp-protocol-version')).toBe('2025-11-25');
});

it('an open form is withdrawn after a restart, and its answer goes nowhere', async () => {
  const service = legacyService();
  const client = await initialized(service);
  client.send({ id: 2, method: 'tools/call', params: { name: 'claude_code' } });
  const asked = await client.next('method');

  service.restart();
  client.send({ id: 3, method: 'tools/list' });
  await client.next('result');
  const withdrawn = await client.next('method');
  client.send({ id: 'id' in asked && asked.id, result: { action: 'accept' } });
  client.send({ id: 4, method: 'tools/list' });
  await client.next('result');

  expect(withdrawn).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 'id' in asked && asked.id },
  });
  expect(client.received).toContainEqual(
    expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_000 }) as object }),
  );
  expect(service.methods()).not.toContain('response');
});

it('the answer to a form reaches the service with the id of its question', async () => {
  const service = legacyService();
  const client = await initialized(service);
  client.send({ id: 2, method: 'tools/call', params: { name: 'claude_code' } });
  const asked = await client.next('method');

  client.send({ id: 'id' in asked && asked.id, result: { action: 'accept' } });

  await expect.poll(() => service.methods()).toContain('response');
  expect(service.arrived.at(-1)?.message).toEqual({ jsonrpc: '2.0', id: 0, result: { action: 'accept' } });
});

it('a subscription of the 2026 protocol continues after its stream has ended', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } };
  const acknowledged = {
    method: 'notifications/subscriptions/acknowledged',
    params: { ...subscription, notifications: { toolsListChanged: true } },
  };
  const changed = { method: 'notifications/tools/list_changed', params: subscription };
  const service = fakeService((_arrived, count) =>
    count === 1
      ? stream([acknowledged, { id: 7, result: {} }])
      : stream([acknowledged, changed], { ends: false }),
  );
  const client = await rawBridge({ fetch: service.fetch });

  client.send({
    id: 7,
    method: 'subscriptions/listen',
    params: { _meta, notifications: { toolsListChanged: true } },
  });
  await client.next('method');
  await client.next('method');

  expect(client.received).toEqual([acknowledged, changed].map((message) => ({ jsonrpc: '2.0', ...message })));
});

it('a new token in the file of the client is used after the old one was refused', async () => {
  let token = 'ccm_old';
  const service = fakeService(({ headers }) =>
    headers.get('authorization') === 'Bearer ccm_new'
      ? stream([{ id: 1, result: {} }])
      : problem(401, -32_001, 'Unknown token'),
  );
  const client = await rawBridge({
    fetch: service.fetch,
    token: () => {
      const current = token;
      token = 'ccm_new';
      return current;
    },
  });

  client.send({ id: 1, method: 'tools/list' });

  expect(await client.next('result')).toMatchObject({ id: 1 });
  expect(service.arrived).toHaveLength(2);
});
