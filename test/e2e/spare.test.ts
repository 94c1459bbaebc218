import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';

/** The processes that have not begun a session: each waits in a folder of its own. */
function waiting({ sandbox }: Scene): readonly string[] {
  return sandbox
    .processes()
    .filter(({ command }) => command.includes('--await-claim'))
    .map(({ command }) => /--session-id[= ](\S+)/.exec(command)?.[1] ?? '');
}

/** Starts a session and waits until a process is ready for the one after it. */
async function startFirst(scene: Scene, prompt: string): Promise<{ sessionId: string; spareId: string }> {
  const { json } = await scene.server.call('claude_code', { prompt, waitMs: 20_000 });
  const spareId = await until('a process waits', () => waiting(scene)[0]);
  await until('it is ready', () => scene.server.stderr().includes('a spare process waits'));
  return { sessionId: json.sessionId, spareId };
}

function sceneOptions(backend: string) {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_MCP_SPARE: '1', LOG_LEVEL: 'debug' };
  return { era: 'modern', env } as const;
}

// Other systems do not show the arguments of processes here.
describe.skipIf(process.platform !== 'linux')('a spare process', () => {
  it.each(['agent-sdk', 'cli'])('of the %s backend serves a session as a new one would', async (backend) => {
    const scene = await startScene(sceneOptions(backend));
    const { server, model, sandbox } = scene;
    model.when('make', [tool('Bash', { command: 'pwd > where.txt' }), text('Made.')]);
    const first = await startFirst(scene, 'make');

    const second = await server.call('claude_code', { prompt: 'make', waitMs: 20_000 });
    const isMadeBefore = existsSync(join(sandbox.project, 'where.txt'));
    const [requestId] = (second.json.actions ?? []).map((action) => action.requestId);
    const made = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(second.json).toMatchObject({ sessionId: first.spareId, status: 'waiting' });
    expect(server.stderr()).not.toContain('does not fit');
    expect(isMadeBefore).toBe(false);
    expect(made.json).toMatchObject({ status: 'idle', result: { result: 'Made.' } });
    expect(readFileSync(join(sandbox.project, 'where.txt'), 'utf8')).toBe(`${sandbox.project}\n`);
    const [cold, warm] = [first.sessionId, first.spareId].map((id) => model.requests(id)[0]?.body);
    expect({ ...warm, metadata: undefined }).toEqual({ ...cold, metadata: undefined });
  });

  it('reads instructions when its session begins, and serves none after a change of settings', async () => {
    const scene = await startScene(sceneOptions('agent-sdk'));
    const { server, model, sandbox } = scene;
    model.when('hello', [text('Hello.')]);
    sandbox.trustFolder(sandbox.project);
    const memory = join(sandbox.project, 'CLAUDE.md');
    writeFileSync(memory, 'The word is BEFORE.');
    const { spareId } = await startFirst(scene, 'hello');
    const start = () => server.call('claude_code', { prompt: 'hello', waitMs: 20_000 });

    writeFileSync(memory, 'The word is AFTER.');
    const second = await start();
    const isServed = !server.stderr().includes('does not fit');
    await until('the next is ready', () => server.stderr().split('a spare process waits').length === 3);
    writeFileSync(join(sandbox.configDir, 'settings.json'), JSON.stringify({ model: 'haiku' }));
    const third = await start();

    expect([second, third].map(({ json }) => json.result?.result)).toEqual(['Hello.', 'Hello.']);
    expect([second.json.sessionId, isServed]).toEqual([spareId, true]);
    expect(JSON.stringify(model.requests(spareId)[0]?.body)).toContain('The word is AFTER.');
    expect(server.stderr()).toContain('the configuration has changed');
    expect(model.requests(third.json.sessionId)[0]?.body.model).toContain('haiku');
  });

  it('ends if the server is killed', async () => {
    const stage = await startBackstage();
    const server = await connectServer({ ...sceneOptions('cli'), ...stage });
    stage.model.when('hello', [text('Hello.')]);
    await startFirst({ ...stage, server }, 'hello');

    process.kill(server.pid, 'SIGKILL');

    await until('all processes have exited', () => stage.sandbox.processes().length === 0);
  });
});
