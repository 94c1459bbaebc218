import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { endpointOf } from '../kit/http.js';
import { loginScene } from '../kit/login-scene.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

it.each(['POST', 'GET', 'DELETE'])(
  'a connection of the 2025 protocols is unknown to other tokens, and a try is audited: %s',
  async (method) => {
    const { fetch, createToken, audited, measured } = loginScene({
      endpointFor: () => endpointOf(() => new McpServer({ name: 'tiny', version: '1.0.0' })),
    });
    const [own, other] = [await createToken('own', ['call']), await createToken('other', ['call'])];
    const body = JSON.stringify(initialize);
    const opened = await fetch('/mcp', { method: 'POST', headers, body, token: own });
    const id = opened.headers.get('mcp-session-id') ?? '';
    const tryAt = async (connection: string, token: string) => {
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
      const init = { method, headers: { ...headers, 'mcp-session-id': connection }, token };
      const refused = await fetch('/mcp', method === 'POST' ? { ...init, body: ping } : init);
      return [refused.status, await refused.json()];
    };

    const unknown = await tryAt('none', other);
    const before = audited.length;
    const foreign = await tryAt(id, other);

    expect(foreign).toEqual(unknown);
    expect(before).toBe(0);
    expect(audited).toMatchObject([
      { reason: 'foreign_connection', peer: '127.0.0.1', path: '/mcp', principal: 'owner', login: 'other' },
    ]);
    expect(measured.at(-1)).toEqual({ what: 'request_refused', reason: 'foreign_connection' });
  },
);
