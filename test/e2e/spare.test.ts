import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const isLinux = process.platform === 'linux';

/** The ids of the sessions for which a process waits. */
function waiting({ sandbox }: Scene): readonly string[] {
  return sandbox
    .processes()
    .filter(({ command }) => command.includes('--await-claim'))
    .map(({ command }) => /--session-id[= ](\S+)/.exec(command)?.[1] ?? '');
}

async function untilWaiting(scene: Scene, served: readonly string[]): Promise<string> {
  const others = (): readonly string[] => waiting(scene).filter((id) => !served.includes(id));
  await until('a process waits', () => others().length === 1);
  return others()[0] ?? '';
}

describe.skipIf(!isLinux).each(['agent-sdk', 'cli'])('with a spare, the %s backend', (backend) => {
  it('serves the second session with it, as if it had just started', async () => {
    const scene = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_MCP_SPARE: '1' },
    });
    const { server, model, sandbox } = scene;
    model.when('hello', [text('Hello.')]);
    model.when('make', [tool('Bash', { command: 'pwd > where.txt' }), text('Made.')]);
    const first = await server.call('claude_code', { prompt: 'hello', waitMs: 20_000 });
    const spareId = await untilWaiting(scene, []);
    await new Promise((r) => setTimeout(r, 1500));

    const second = await server.call('claude_code', { prompt: 'make', waitMs: 20_000 });
    const made = await server.call('claude_code_respond', {
      requestId: second.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(second.json).toMatchObject({ sessionId: spareId, status: 'waiting' });
    expect(made.json).toMatchObject({ status: 'idle', result: { result: 'Made.' } });
    const [cold] = model.requests(first.json.sessionId);
    const [warm] = model.requests(spareId);
    writeFileSync('/tmp/spare-x/cold.json', JSON.stringify(cold?.body, null, 1));
    writeFileSync('/tmp/spare-x/warm.json', JSON.stringify(warm?.body, null, 1));
    expect(warm?.body.system).toEqual(cold?.body.system);
    expect(warm?.body.tools).toEqual(cold?.body.tools);
  });
});
