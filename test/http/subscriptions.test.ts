import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { RefusalReason } from '../../src/core/observability/measurements.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, modernMeta, origin, owner } from '../kit/http.js';

function scene() {
  const endpoint = endpointOf(
    () =>
      new McpServer({ name: 'tiny', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } }),
  );
  const noted: RefusalReason[] = [];
  /** Subscribes in the 2026 protocol, and returns how to leave. */
  const subscribe = async (resourceSubscriptions: readonly unknown[]) => {
    const closed = deferred();
    const params = { notifications: { resourceSubscriptions }, _meta: modernMeta };
    const request = new Request(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
    });
    const response = await endpoint.fetch(request, owner, {
      closed: closed.promise,
      peer: '127.0.0.1',
      refuseEnded: async () => undefined,
      note: (reason) => void noted.push(reason),
    });
    const leave = async (): Promise<void> => {
      await response.body?.cancel();
      closed.resolve();
    };
    return { status: response.status, leave };
  };
  return { subscribe, noted };
}

const uris = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `claude-code://${index}`);

describe('subscriptions of the 2026 protocol', () => {
  it.each([
    ['more than 500 resources', uris(501)],
    ['an address of more than 200 characters', ['x'.repeat(201)]],
  ])('are refused if one request names %s', async (_name, wanted) => {
    const { subscribe } = scene();

    expect((await subscribe(wanted)).status).toBe(400);
    expect((await subscribe(wanted.slice(1))).status).toBe(200);
  });

  it('of a principal name 20,000 resources at most, until they end', async () => {
    const { subscribe, noted } = scene();
    const open = await Promise.all(Array.from({ length: 40 }, () => subscribe(uris(500))));

    const refused = await subscribe(uris(1));
    await open[0]?.leave();
    const later = await subscribe(uris(500));

    expect([refused.status, later.status]).toEqual([429, 200]);
    expect(noted).toEqual(['too_many_requests']);
  });
});
