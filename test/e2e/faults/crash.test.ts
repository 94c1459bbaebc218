import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useFaultyMode, type FaultyMode } from '../../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { until } from '../../kit/until.js';
import { backends, expectQuiet, reply, start, startFaulty } from './fault-scene.js';

const ENDLESS = 'tail -f /dev/null';

/** A server whose stand-in CLI begins in this mode, and can be told another. */
async function startSwitchable(
  mode: FaultyMode,
): Promise<{ scene: Scene; use: (mode: FaultyMode | undefined) => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'ccm-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const executable = join(folder, 'claude');
  useFaultyMode(executable, mode);
  const scene = await startScene({ era: 'legacy', env: { CLAUDE_CODE_PATH: executable } });
  return { scene, use: (next) => useFaultyMode(executable, next) };
}

function killClaude({ sandbox }: Scene): void {
  const claude = sandbox.processes().find(({ command }) => command.includes('stream-json'));
  process.kill(claude?.pid ?? 0, 'SIGKILL');
}

describe('a crash', () => {
  const common: readonly (readonly [FaultyMode, string])[] = [
    ['crash-mid-turn', 'Claude Code exited with code 1 before the turn ended: faulty-cli: out of luck'],
    ['kill-self-mid-turn', 'Claude Code was terminated by SIGKILL before the turn ended'],
    ['exit-without-result', 'Claude Code exited with code 0 before the turn ended'],
    ['closes-output', 'Claude Code closed its output before the turn ended'],
  ];
  const misunderstood =
    "Claude Code sent output that could not be read (Cannot read properties of null (reading 'type')) before the turn ended";
  const midLine = 'Claude Code exited with code 1 before the turn ended: faulty-cli: out of breath';

  it.each([
    ...backends.flatMap((backend) => common.map(([mode, result]) => [mode, backend, result] as const)),
    ['json-null', 'agent-sdk', misunderstood] as const,
    ['crash-mid-line', 'cli', midLine] as const,
  ])('is the result of the turn, and says what to do: %s, %s', async (mode, backend, result) => {
    const scene = await startFaulty(mode, { backend });

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: false,
      json: {
        status: 'error',
        result: {
          result,
          isError: true,
          outcome: 'failed',
          errorSubtype: 'crashed',
          nextStep: 'Reply to resume the conversation in a new process.',
          turn: 1,
        },
      },
    });
    await expectQuiet(scene, [{ sessionId: started.json.sessionId, status: 'error', outcome: 'failed' }]);
  });

  it('is overcome by a reply, and told again when it happens again', async () => {
    const { scene, use } = await startSwitchable('crash-mid-turn');
    const { sessionId } = (await start(scene)).json;

    const second = await reply(scene, sessionId);
    use('ok');
    const third = await reply(scene, sessionId);

    expect(second.json).toMatchObject({ status: 'error', result: { errorSubtype: 'crashed', turn: 2 } });
    expect(third.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { result: 'All good.', outcome: 'completed', turn: 3 },
    });
  });

  it.each<[string, FaultyMode | undefined, string]>([
    ['exits at once', 'exit-at-once', 'faulty-cli: cannot start here'],
    ['says nothing', 'silent', 'was not ready within 1500 ms'],
    ['is gone', undefined, 'could not be started'],
  ])('of the process that a reply starts is the result of that turn: it %s', async (_name, mode, words) => {
    const { scene, use } = await startSwitchable('crash-mid-turn');
    const { sessionId } = (await start(scene, { advanced: { sessionInitTimeoutMs: 1_500 } })).json;
    use(mode);

    const second = await reply(scene, sessionId);
    use('ok');
    const third = await reply(scene, sessionId);

    expect(second.json).toMatchObject({
      status: 'error',
      result: {
        result: expect.stringContaining(words),
        isError: true,
        errorSubtype: 'crashed',
        nextStep: expect.any(String),
      },
    });
    expect(third.json).toMatchObject({ status: 'idle', result: { result: 'All good.' } });
  });

  it('of the real Claude Code during a Bash call loses neither the conversation nor a process', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('follow', [tool('Bash', { command: ENDLESS }), text('Never said.')]);
    model.when('which was it', [text('It was the log.')]);
    const started = await start(scene, { prompt: 'follow the log' });
    const { sessionId, actions } = started.json;
    await server.call('claude_code_respond', {
      requestId: actions?.[0]?.requestId,
      decision: 'allow',
      waitMs: 0,
    });
    await until('Bash runs', () => sandbox.processes().some(({ command }) => command === ENDLESS));

    killClaude(scene);
    const crashed = await server.call('claude_code_check', { sessionId });
    await expectQuiet(scene, [{ sessionId, status: 'error' }]);
    const resumed = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'which was it?',
      waitMs: 20_000,
    });

    expect(crashed.json).toMatchObject({
      status: 'error',
      result: {
        result: 'Claude Code was terminated by SIGKILL before the turn ended',
        isError: true,
        errorSubtype: 'crashed',
        nextStep: 'Reply to resume the conversation in a new process.',
      },
    });
    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'It was the log.', turn: 2 } });
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body.messages)).toContain('follow the log');
  });

  it('of the real Claude Code while it asks withdraws the request', async () => {
    const scene = await startScene({ era: 'legacy' });
    const { server, model } = scene;
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Never said.')]);
    const { sessionId, actions, cursor } = (await start(scene, { prompt: 'touch it' })).json;
    const requestId = actions?.[0]?.requestId;

    killClaude(scene);
    const withdrawn = await server.call('claude_code_check', { sessionId, cursor });
    const crashed = await server.call('claude_code_check', { sessionId });
    const late = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const resumed = await reply(scene, sessionId);

    expect(crashed.json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'crashed', isError: true },
    });
    expect([withdrawn.json.actions, crashed.json.actions]).toEqual([undefined, undefined]);
    expect(late).toMatchObject({
      isError: true,
      text: `Error [INVALID_ARGUMENT]: request ${requestId} was withdrawn. Call claude_code_check to see which requests are open.`,
    });
    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 2 } });
  });

  it('of the real Claude Code between two turns is no failure: the next reply resumes', async () => {
    const scene = await startScene({ era: 'modern' });
    const { sessionId } = (await start(scene, { prompt: 'remember blue' })).json;

    killClaude(scene);
    await until('it is gone', () => scene.sandbox.processes().length === 1);
    const idle = await scene.server.call('claude_code_check', { sessionId, waitMs: 0 });
    const resumed = await reply(scene, sessionId);

    expect(idle.json).toMatchObject({ status: 'idle', result: { outcome: 'completed', turn: 1 } });
    expect(resumed.json).toMatchObject({
      status: 'idle',
      result: { result: 'ok', isError: false, turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(JSON.stringify(scene.model.requests(sessionId).at(-1)?.body.messages)).toContain('remember blue');
  });
});
