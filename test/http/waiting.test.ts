import { describe, expect, it } from 'vitest';
import { guardsFor } from '../../src/http/guards.js';
import { createGate, type Gate } from '../kit/gate.js';
import { endpointOf, listenFor, routesFor } from '../kit/http.js';
import { appOf, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { gate, text } from '../kit/model-steps.js';
import { connectHttp, type HttpClient } from '../kit/service.js';
import type { Era } from '../kit/server-client.js';
import { tappedFetch, type Tap } from '../kit/tapped-fetch.js';

interface WaitingScene extends InProcessScene {
  readonly http: HttpClient;
  readonly tap: Tap;
  /** Holds the answer of the model to "hold". */
  readonly held: Gate;
  readonly sessionId: string;
}

/** A client over HTTP, and a session whose turn stays open. */
async function startHeld(era: Era): Promise<WaitingScene> {
  const scene = await startInProcess({ era });
  const held = createGate();
  scene.model.when('hold', [gate(held, text('Done.'))]);
  const endpoint = endpointOf(appOf(scene.server).factory, { keepAliveMs: 50 });
  const listener = await listenFor(async () => new Response());
  listener.serve(routesFor({ guards: guardsFor([listener.origin]), endpointOf: async () => endpoint }));
  const tap = tappedFetch();
  const http = await connectHttp(`${listener.origin}/mcp`, { era, fetch: tap.fetch });
  const { json } = await http.call('claude_code', {
    prompt: 'hold',
    cwd: scene.sandbox.project,
    waitMs: 0,
  });
  await held.reached;
  return { ...scene, http, tap, held, sessionId: json.sessionId };
}

describe.each(['modern', 'legacy'] as const)('a waiting call in the %s era', (era) => {
  it('receives comments while it waits, and then its answer', async () => {
    const { http, tap, held, sessionId } = await startHeld(era);

    const waiting = http.call('claude_code_check', { sessionId, waitMs: 30_000 });
    await tap.until(': keepalive', 3);
    held.open();

    expect((await waiting).json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it('can be repeated after its connection was cut', async () => {
    const { http, tap, held, model, sessionId } = await startHeld(era);
    const call = { sessionId, waitMs: 30_000, include: ['events'] };
    const lost = http.call('claude_code_check', call);
    lost.catch(() => undefined);
    await tap.until(': keepalive');

    tap.cut();
    const repeated = http.call('claude_code_check', call);
    held.open();

    expect((await repeated).json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(model.requests()).toHaveLength(1);
  });

  it('is answered when the sessions end with the service', async () => {
    const { http, tap, server, sessionId } = await startHeld(era);
    const waiting = http.call('claude_code_check', { sessionId, waitMs: 30_000 });
    await tap.until(': keepalive');

    await appOf(server).close();

    expect((await waiting).json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'server_restarted' },
    });
  });
});
