import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { logLines } from '../kit/log-lines.js';
import { text, tool } from '../kit/model-steps.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const tracestate = 'rojo=00f067aa0ba902b7';

const callsIn = ({ server }: Scene) =>
  logLines(server.stderr()).filter(({ message }) => message === 'tool call');

/** Starts a session by a request that carries more than its arguments. */
async function start({ server }: Scene, args: object, meta: Record<string, unknown>): Promise<void> {
  await server.client.callTool(
    { name: 'claude_code', arguments: { waitMs: 20_000, ...args }, _meta: meta },
    { timeout: 60_000 },
  );
}

/** What a command inside a session sees of its trace. */
async function traceSeen(scene: Scene, meta: Record<string, unknown>): Promise<string> {
  const command = 'echo "${TRACEPARENT-none} ${TRACESTATE-none}" > trace.txt';
  scene.model.when('trace', [tool('Bash', { command }), text('done')]);
  await start(scene, { prompt: 'trace', allowedTools: ['Bash'] }, meta);
  return readFileSync(join(scene.sandbox.project, 'trace.txt'), 'utf8').trim();
}

/** Takes whatever telemetry is sent to it. */
async function startCollector(): Promise<string> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void collector.close());
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
}

describe('the log of the server', () => {
  const era = 'modern';
  it('has one line for each tool call, with its ids, its end and its time', async () => {
    const scene = await startScene({ era });
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
});

it.each(['agent-sdk', 'cli'])(
  'the trace of a request is in the log, and in the environment of Claude Code, backend %s',
  async (backend) => {
    const scene = await startScene({
      era: 'modern',
      env: { TRACESTATE: 'of=another', CLAUDE_CODE_MCP_BACKEND: backend },
    });

    const seen = await traceSeen(scene, { traceparent, tracestate });

    expect(seen).toBe(`${traceparent} ${tracestate}`);
    expect(callsIn(scene).map((call) => call['traceId'])).toEqual([traceId]);
  },
);

it('is gone on with by the telemetry of Claude Code, where that is on', async () => {
  const scene = await startScene({
    era: 'modern',
    env: {
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
      CLAUDE_CODE_PROPAGATE_TRACEPARENT: '1',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector(),
    },
  });
  scene.model.when('go', [text('done')]);

  await start(scene, { prompt: 'go' }, { traceparent });

  expect(scene.model.requests().map(({ headers }) => headers['traceparent'])).toEqual([
    expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)),
  ]);
});
