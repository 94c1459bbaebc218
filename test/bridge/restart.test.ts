import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/http/endpoint.js';
import { guardsFor } from '../../src/http/guards.js';
import { connectBridge } from '../kit/bridge.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, listenFor, routesFor } from '../kit/http.js';
import { appOf, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import type { Era, ServerClient } from '../kit/server-client.js';
import { tappedFetch, type Tap } from '../kit/tapped-fetch.js';

interface BridgeScene extends InProcessScene {
  readonly bridged: Pick<ServerClient, 'client' | 'call'>;
  readonly tap: Tap;
  /** The service forgets its connections. Its sessions continue. */
  readonly restart: () => Promise<void>;
  /** Resolves when the client has a stream for requests of the service. */
  readonly stream: () => Promise<void>;
}

async function startBridged(era: Era): Promise<BridgeScene> {
  const scene = await startInProcess({ era, env: { CLAUDE_CODE_MCP_APPROVALS: 'any' } });
  const { factory, updates } = appOf(scene.server);
  const open = (): Endpoint => {
    const next = endpointOf(factory, { keepAliveMs: 50 });
    updates.listen((uri) => next.notify.resourceUpdated(uri));
    return next;
  };
  let endpoint = open();
  let streaming = deferred();
  const listener = await listenFor(async () => new Response());
  const routes = routesFor({
    guards: guardsFor([listener.origin]),
    endpointOf: async () => endpoint,
  });
  listener.serve(async (request, exchange) => {
    const response = await routes(request, exchange);
    if (request.method === 'GET' && response.ok) streaming.resolve();
    return response;
  });
  const tap = tappedFetch();
  const url = (): string => `${listener.origin}/mcp`;
  const bridged = await connectBridge({
    era,
    url,
    pausesMs: [50, 50],
    fetch: tap.fetch,
    capabilities: formCapability,
  });
  return {
    ...scene,
    bridged,
    tap,
    stream: () => streaming.promise,
    async restart() {
      streaming = deferred();
      await endpoint.close();
      endpoint = open();
    },
  };
}

it('the stream for forms is opened again while a client of the 2025 protocols is silent', async () => {
  const { stream, restart } = await startBridged('legacy');
  await stream();

  await restart();

  await expect(stream()).resolves.toBeUndefined();
});

describe.each(['modern', 'legacy'] as const)('through a bridge, in the %s era', (era) => {
  it('a form reaches the client', async () => {
    const { bridged, model, sandbox, clock, ...scene } = await startBridged(era);
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    if (era === 'legacy') await scene.stream();
    const person = seatPerson({ ...bridged, takesTime: async (ms) => clock.advance(ms) }, () =>
      accept({ decision: 'allow' }),
    );

    const { json } = await bridged.call('claude_code', {
      prompt: 'touch it',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(person.forms).toHaveLength(1);
  });

  it('calls continue after a restart of the service', async () => {
    const { bridged, restart, model, sandbox } = await startBridged(era);
    model.when('hello', [text('Hi.')]);
    const start = { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 };
    const { json } = await bridged.call('claude_code', start);

    await restart();
    const again = await Promise.all(
      [1, 2, 3].map(() => bridged.call('claude_code_check', { sessionId: json.sessionId })),
    );

    expect(again.map((reply) => reply.json)).toMatchObject([1, 2, 3].map(() => ({ status: 'idle' })));
  });

  it('a call that waits during a restart is answered, and its session continues', async () => {
    const { bridged, tap, restart, model, sandbox } = await startBridged(era);
    const held = createGate();
    model.when('hold', [gate(held, text('Done.'))]);
    const { json } = await bridged.call('claude_code', { prompt: 'hold', cwd: sandbox.project, waitMs: 0 });
    const check = { sessionId: json.sessionId, waitMs: 20_000 };
    await held.reached;
    const waiting = bridged.call('claude_code_check', check).catch((error: unknown) => error);
    await tap.until(': keepalive');

    await restart();
    const lost = await waiting;
    held.open();
    const repeated = await bridged.call('claude_code_check', check);

    expect(String(lost)).toContain('was lost');
    expect(repeated.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });
});
