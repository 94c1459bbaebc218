import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

// Claude Code refuses a bare `sleep`; this lasts until somebody ends it.
const endless = 'tail -f /dev/null';

async function startWaiting(scene: Scene): Promise<{ sessionId: string; claudePid: number }> {
  scene.model.when('wait', [tool('Bash', { command: endless }), text('over')]);
  const { json } = await scene.server.call('claude_code', {
    prompt: 'wait',
    cwd: scene.sandbox.project,
    allowedTools: ['Bash'],
  });
  await until('Bash runs', () => commands(scene).includes(endless));
  const claude = scene.sandbox.processes().find(({ command }) => command.includes('stream-json'));
  return { sessionId: json.sessionId, claudePid: claude?.pid ?? 0 };
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

describe('the end of a session', () => {
  it('comes at once by cancel, with the Bash command that was running', async () => {
    const scene = await startScene({ era: 'modern' });
    const { sessionId } = await startWaiting(scene);

    const cancelled = await scene.server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(cancelled.json).toMatchObject({
      sessionId,
      status: 'cancelled',
      result: { outcome: 'interrupted' },
    });
    expect(scene.sandbox.processes()).toMatchObject([{ pid: scene.server.pid }]);
  });

  it('is final after cancel', async () => {
    const { server, sandbox } = await startScene({ era: 'legacy' });
    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = started.json;
    await server.call('claude_code_session', { action: 'cancel', sessionId });

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'again' });
    const again = await server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(reply.text).toMatch(/^Error \[CANCELLED\]: .*Start a new session/);
    expect(again.json.status).toBe('cancelled');
  });

  it('stops the turn and not the session by interrupt', async () => {
    const scene = await startScene({ era: 'modern' });
    const { sessionId } = await startWaiting(scene);

    const interrupted = await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });
    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'go on',
      waitMs: 20_000,
    });

    expect(interrupted.json).toMatchObject({
      status: 'idle',
      result: { outcome: 'interrupted', isError: false },
    });
    expect(commands(scene)).not.toContain(endless);
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 2 } });
  });

  it('leaves no Bash command behind when Claude Code is killed', async () => {
    const scene = await startScene({ era: 'modern' });
    const { sessionId, claudePid } = await startWaiting(scene);

    const killedAt = Date.now();
    process.kill(claudePid, 'SIGKILL');
    const crashed = await scene.server.call('claude_code_check', { sessionId });

    expect(crashed.json).toMatchObject({
      status: 'error',
      result: {
        isError: true,
        errorSubtype: 'crashed',
        nextStep: expect.stringContaining('Reply to resume'),
      },
    });
    await until('Bash is gone', () => !commands(scene).includes(endless));
    expect(Date.now() - killedAt).toBeLessThan(3_000);
  });
});

describe('the end of the server', () => {
  const ways: [string, (scene: Scene) => void][] = [
    ['end of input', ({ server }) => server.endInput()],
    ['SIGINT', ({ server }) => server.kill('SIGINT')],
    ['SIGTERM', ({ server }) => server.kill('SIGTERM')],
  ];

  it.each(ways)('leaves nothing after %s, with a turn running and a permission open', async (_name, end) => {
    const scene = await startScene({ era: 'modern' });
    await startWaiting(scene);
    await startAsking(scene);

    const endedAt = Date.now();
    end(scene);
    const exit = await scene.server.exited;

    expect(exit).toEqual({ code: 0, signal: null });
    expect(Date.now() - endedAt).toBeLessThan(3_000);
    expect(scene.sandbox.processes()).toEqual([]);
  });
});
