import { describe, expect, it } from 'vitest';
import type { FaultyMode } from '../../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { until } from '../../kit/until.js';
import {
  backends,
  expectQuiet,
  expectQuietAfter,
  reply,
  shareFaulty,
  start,
  startSwitchable,
} from './fault-scene.js';

const ENDLESS = 'tail -f /dev/null';

function killClaude({ sandbox }: Scene): void {
  const claude = sandbox.processes().find(({ command }) => command.includes('stream-json'));
  process.kill(claude?.pid ?? 0, 'SIGKILL');
}

describe('a crash', () => {
  const common: readonly (readonly [FaultyMode, string])[] = [
    ['crash-mid-turn', 'Claude Code exited with code 1 before the turn ended: faulty-cli: out of luck'],
    ['kill-self-mid-turn', 'Claude Code was terminated by SIGKILL before the turn ended'],
    ['killed-beside-child', 'Claude Code was terminated by SIGKILL before the turn ended'],
    ['exit-without-result', 'Claude Code exited with code 0 before the turn ended'],
    ['closes-output', 'Claude Code closed its output before the turn ended'],
    [
      'deep-input',
      'Claude Code sent output that could not be read (Maximum call stack size exceeded) before the turn ended',
    ],
  ];
  const misunderstood =
    "Claude Code sent output that could not be read (Cannot read properties of undefined (reading 'request_id')) before the turn ended";
  const midLine = 'Claude Code exited with code 1 before the turn ended: faulty-cli: out of breath';

  const useMode = { 'agent-sdk': shareFaulty('agent-sdk'), cli: shareFaulty('cli') };

  it.each([
    ...backends.flatMap((backend) => common.map(([mode, result]) => [mode, backend, result] as const)),
    ['empty-control-response', 'agent-sdk', misunderstood] as const,
    ['crash-mid-line', 'cli', midLine] as const,
  ])('is the result of the turn, and says what to do: %s, %s', async (mode, backend, result) => {
    const scene = useMode[backend](mode);

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
    const { sessionId } = started.json;
    await expectQuietAfter(scene, { sessionId, status: 'error', outcome: 'failed' });
  });

  it('is overcome by a reply, and told again when it happens again or the next process does not start', async () => {
    const env = { CLAUDE_CODE_MCP_START_TIMEOUT_MS: '1500' };
    const { scene, use } = await startSwitchable('crash-mid-turn', env);
    const { sessionId } = (await start(scene)).json;
    const faults: readonly [FaultyMode | undefined, string][] = [
      ['crash-mid-turn', 'before the turn ended'],
      ['exit-at-once', 'faulty-cli: cannot start here'],
      ['silent', 'was not ready within 1500 ms'],
      [undefined, 'could not be started'],
    ];

    const crashed = [];
    for (const [mode] of faults) {
      use(mode);
      crashed.push((await reply(scene, sessionId)).json);
    }
    use('ok');
    const last = await reply(scene, sessionId);

    expect(crashed).toMatchObject(
      faults.map(([, words], index) => ({
        status: 'error',
        result: {
          result: expect.stringContaining(words),
          isError: true,
          errorSubtype: 'crashed',
          nextStep: expect.any(String),
          turn: index + 2,
        },
      })),
    );
    expect(last.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { result: 'All good.', outcome: 'completed', turn: faults.length + 2 },
    });
  });

  it('of the real Claude Code loses neither the conversation nor a process: between turns, in Bash, while it asks', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('follow', [tool('Bash', { command: ENDLESS }), text('Never said.')]);
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Never said.')]);
    const { sessionId } = (await start(scene, { prompt: 'remember blue' })).json;

    killClaude(scene);
    await until('it is gone', () => sandbox.processes().length === 1);
    const idle = await server.call('claude_code_check', { sessionId, waitMs: 0 });

    const following = await reply(scene, sessionId, 'follow the log');
    await server.call('claude_code_respond', {
      requestId: following.json.actions?.[0]?.requestId,
      decision: 'allow',
      waitMs: 0,
    });
    await until('Bash runs', () => sandbox.processes().some(({ command }) => command === ENDLESS));
    killClaude(scene);
    const inBash = await server.call('claude_code_check', { sessionId });
    await expectQuiet(scene, [{ sessionId, status: 'error' }]);

    const asking = (await reply(scene, sessionId, 'touch it')).json;
    const requestId = asking.actions?.[0]?.requestId;
    killClaude(scene);
    const withdrawn = await server.call('claude_code_check', { sessionId, cursor: asking.cursor });
    const whileAsking = await server.call('claude_code_check', { sessionId });
    const late = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const resumed = await reply(scene, sessionId);

    expect(idle.json).toMatchObject({ status: 'idle', result: { outcome: 'completed', turn: 1 } });
    expect(inBash.json).toMatchObject({
      status: 'error',
      result: {
        result: 'Claude Code was terminated by SIGKILL before the turn ended',
        isError: true,
        errorSubtype: 'crashed',
        nextStep: 'Reply to resume the conversation in a new process.',
        turn: 2,
      },
    });
    expect(whileAsking.json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'crashed', isError: true, turn: 3 },
    });
    expect(requestId).toBeDefined();
    expect([withdrawn.json.actions, whileAsking.json.actions]).toEqual([undefined, undefined]);
    expect(late).toMatchObject({
      isError: true,
      text: `Error [INVALID_ARGUMENT]: request ${requestId} was withdrawn. Call claude_code_check to see which requests are open.`,
    });
    expect(resumed.json).toMatchObject({
      status: 'idle',
      // Of the turns between the first and the last, the cost is estimated.
      result: { result: 'ok', isError: false, turn: 4, sessionTotalCostUsd: expect.closeTo(0.0478, 8) },
    });
    // Claude Code may lose the prompt of a turn in which it is killed, but not a turn that ended.
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body.messages)).toContain('remember blue');
  });
});
