import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { logLines } from '../kit/log-lines.js';
import { text } from '../kit/model-steps.js';

const callsIn = ({ server }: InProcessScene) =>
  logLines(server.stderr()).filter(({ message }) => message === 'tool call');

describe.each(['modern', 'legacy'] as const)('the log of the server, %s era', (era) => {
  it('has one line for each tool call, with its ids, its end and its time', async () => {
    const scene = await startInProcess({ era });
    const { server, model } = scene;
    model.when('go', [text('done')]);

    const { json } = await server.call('claude_code', { prompt: 'go', waitMs: 20_000 });
    await server.call('claude_code_check', { sessionId: json.sessionId });
    await server.call('claude_code_check', { sessionId: 'nonsense' });

    const { sessionId } = json;
    const common = { level: 'info', callId: expect.any(String), durationMs: expect.any(Number), era };
    expect(callsIn(scene)).toMatchObject([
      { ...common, tool: 'claude_code', code: 'ok', sessionId, client: `kit-${era} 1.0.0` },
      { ...common, tool: 'claude_code_check', code: 'ok', sessionId },
      { ...common, tool: 'claude_code_check', code: 'INVALID_ARGUMENT' },
    ]);
    expect(new Set(callsIn(scene).map(({ callId }) => callId)).size).toBe(3);
  });

  it('names call and session of a query, in the line of its prompt and in that of its end', async () => {
    const scene = await startInProcess({ era, env: { CLAUDE_CODE_MCP_TOOLSETS: 'query' } });
    const { server, model, sandbox } = scene;
    model.when('go', [text('done')]);

    const { json } = await server.call('claude_code_query', { prompt: 'go', cwd: sandbox.project });

    const [call] = callsIn(scene);
    const { sessionId } = json;
    const prompts = logLines(server.stderr()).filter(({ message }) => message === 'prompt given');
    expect(call).toMatchObject({ tool: 'claude_code_query', sessionId });
    expect(prompts).toMatchObject([{ sessionId, callId: call?.['callId'] }]);
  });

  it('names the call that was refused', async () => {
    const scene = await startInProcess({ era });

    await scene.server.call('claude_code', { prompt: 'go', cwd: scene.sandbox.home });

    const [call] = callsIn(scene);
    const warnings = logLines(scene.server.stderr()).filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ message: 'a call was refused', callId: call?.['callId'] }]);
  });
});

describe('the level of the log', () => {
  const linesAt = async (env: Record<string, string>) => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern', env });
    model.when('go', [text('done')]);
    const { json } = await server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: 20_000 });
    expect(json.status).toBe('idle');
    return logLines(server.stderr());
  };

  it('is warn unless the operator says otherwise: a session that goes well leaves no line', async () => {
    expect(await linesAt({ LOG_LEVEL: '' })).toEqual([]);
  });

  it('debug adds every change of state', async () => {
    const changes = (await linesAt({ LOG_LEVEL: 'debug' })).filter(({ level }) => level === 'debug');

    expect(changes).toMatchObject([
      { message: 'session state', event: 'turn_ended', from: 'running', to: 'idle' },
    ]);
  });
});

describe.each(['modern', 'legacy'] as const)('the trace of a request, %s era', (era) => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const tracestate = 'rojo=00f067aa0ba902b7';

  it('is in the log, and in the environment of the Claude Code that it starts', async () => {
    const scene = await startInProcess({ era, env: { TRACESTATE: 'of=another' } });
    const traceSeen = async (meta: Record<string, unknown>): Promise<string> => {
      const args = { prompt: 'go', waitMs: 20_000 };
      await scene.server.client.callTool({ name: 'claude_code', arguments: args, _meta: meta });
      const { TRACEPARENT = 'none', TRACESTATE = 'none' } = scene.world.launches.at(-1)?.env ?? {};
      return `${TRACEPARENT} ${TRACESTATE}`;
    };

    const seen = [
      await traceSeen({ traceparent, tracestate }),
      await traceSeen({ traceparent }),
      await traceSeen({ traceparent: '00-nonsense\nEVIL=1', tracestate }),
    ];

    expect(seen).toEqual([`${traceparent} ${tracestate}`, `${traceparent} none`, 'none of=another']);
    expect(callsIn(scene).map((call) => call['traceId'])).toEqual([traceId, traceId, undefined]);
  });
});
