import { describe, expect, it } from 'vitest';
import { guardsFor } from '../../src/http/guards.js';
import { deferred } from '../kit/deferred.js';
import { endpointOf, listenFor, routesFor } from '../kit/http.js';
import { appOf, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson } from '../kit/person.js';
import { connectHttp, type HttpClient } from '../kit/service.js';

interface FormScene extends InProcessScene {
  readonly withPerson: HttpClient;
  readonly alone: HttpClient;
  /** Resolves when the service has noticed that the first client left. */
  readonly left: Promise<void>;
}

/** A session that asks, and two clients of the 2025 protocols: only the first can show forms. */
async function startWithPerson(): Promise<FormScene> {
  const scene = await startInProcess({ era: 'legacy', env: { CLAUDE_CODE_MCP_APPROVALS: 'any' } });
  scene.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  const endpoint = endpointOf(appOf(scene.server).factory, { clock: scene.clock });
  const listener = await listenFor(async () => new Response());
  const routes = routesFor({ guards: guardsFor([listener.origin]), endpointOf: async () => endpoint });
  const stream = deferred<{ readonly closed: Promise<void> }>();
  listener.serve(async (request, exchange) => {
    const response = await routes(request, exchange);
    if (request.method === 'GET') stream.resolve(exchange);
    return response;
  });
  const url = `${listener.origin}/mcp`;
  const withPerson = await connectHttp(url, { era: 'legacy', capabilities: formCapability });
  const { closed: left } = await stream.promise;
  return { ...scene, left, withPerson, alone: await connectHttp(url, { era: 'legacy' }) };
}

function start({ alone, sandbox }: FormScene): ReturnType<HttpClient['call']> {
  return alone.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000 });
}

describe('a person behind a client of the 2025 protocols', () => {
  it('answers a form while another client waits', async () => {
    const scene = await startWithPerson();
    seatPerson({ ...scene.withPerson, takesTime: async (ms) => scene.clock.advance(ms) }, () =>
      accept({ decision: 'allow' }),
    );

    const { json } = await start(scene);

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it('is not asked after the client has left', async () => {
    const scene = await startWithPerson();
    const person = seatPerson({ ...scene.withPerson, takesTime: async () => undefined }, neverAnswer);

    await scene.withPerson.client.close();
    await scene.left;
    const { json } = await start(scene);

    expect(json).toMatchObject({ status: 'waiting', actions: [{ type: 'permission' }] });
    expect(person.forms).toEqual([]);
  });

  it('no longer holds up the caller when the client leaves with an open form', async () => {
    const scene = await startWithPerson();
    const person = seatPerson({ ...scene.withPerson, takesTime: async () => undefined }, neverAnswer);
    const waiting = start(scene);
    await person.form(0);

    await scene.withPerson.client.close();
    await scene.clock.pass(30_000);

    expect((await waiting).json).toMatchObject({ status: 'waiting', actions: [{ type: 'permission' }] });
  });
});
