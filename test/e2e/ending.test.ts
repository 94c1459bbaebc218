import { describe, expect, it } from 'vitest';
import { faultyCli } from '../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

// Claude Code refuses a bare `sleep`; this lasts until somebody ends it.
const endless = 'tail -f /dev/null';

async function startWaiting(scene: Scene): Promise<{ sessionId: string }> {
  scene.model.when('wait', [tool('Bash', { command: endless }), text('over')]);
  const { json } = await scene.server.call('claude_code', {
    prompt: 'wait',
    cwd: scene.sandbox.project,
    allowedTools: ['Bash'],
  });
  await until('Bash runs', () => commands(scene).includes(endless));
  return { sessionId: json.sessionId };
}

async function startAsking(scene: Scene): Promise<void> {
  scene.model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
  const { json } = await scene.server.call('claude_code', {
    prompt: 'touch',
    cwd: scene.sandbox.project,
    waitMs: 20_000,
  });
  expect(json.status).toBe('waiting');
}

function commands({ sandbox }: Scene): string[] {
  return sandbox.processes().map(({ command }) => command);
}

it('an interrupt ends the turn with its Bash command, and a cancel the session, finally', async () => {
  const scene = await startScene({ era: 'modern' });
  const { server, sandbox } = scene;
  const { sessionId } = await startWaiting(scene);

  const interrupted = await server.call('claude_code_session', { action: 'interrupt', sessionId });
  // Claude Code reports the end of the turn before it has reaped the command.
  await until('the Bash command has ended', () => !commands(scene).includes(endless));
  const replied = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });
  await server.call('claude_code_reply', { sessionId, prompt: 'wait' });
  await until('Bash runs again', () => commands(scene).includes(endless));
  const cancelled = await server.call('claude_code_session', { action: 'cancel', sessionId });
  const processesLeft = sandbox.processes();
  const refused = await server.call('claude_code_reply', { sessionId, prompt: 'again' });
  const again = await server.call('claude_code_session', { action: 'cancel', sessionId });

  expect(interrupted.json).toMatchObject({
    status: 'idle',
    result: { outcome: 'interrupted', isError: false },
  });
  expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 2 } });
  expect(cancelled.json).toMatchObject({
    sessionId,
    status: 'cancelled',
    result: { outcome: 'interrupted' },
  });
  expect(processesLeft).toMatchObject([{ pid: server.pid }]);
  expect(refused.text).toMatch(/^Error \[CANCELLED\]: .*Start a new session/);
  expect(again.json.status).toBe('cancelled');
});

describe('the end of the server', () => {
  async function expectNothingLeft({ server, sandbox }: Scene, end: () => void): Promise<void> {
    const endedAt = Date.now();
    end();
    const exit = await server.exited;

    expect(exit).toEqual({ code: 0, signal: null });
    expect(Date.now() - endedAt).toBeLessThan(3_000);
    expect(sandbox.processes()).toEqual([]);
  }

  it('leaves nothing after end of input, with a turn running and a permission open', async () => {
    const scene = await startScene({ era: 'modern' });
    await startWaiting(scene);
    await startAsking(scene);

    await expectNothingLeft(scene, () => scene.server.endInput());
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing after %s, with two turns running', async (name) => {
    const scene = await startScene({ era: 'modern', env: faultyCli('deaf-to-interrupt') });
    const { server, sandbox } = scene;
    for (const prompt of ['one', 'two']) await server.call('claude_code', { prompt, cwd: sandbox.project });
    expect(sandbox.processes()).toHaveLength(3);

    await expectNothingLeft(scene, () => server.kill(name));
  });
});
