import { describe, expect, it } from 'vitest';
import { faultyCli, type FaultyMode, type FaultyOptions } from '../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { eventsOf, expectQuiet, reply, start } from './faults/fault-scene.js';

function startFaulty(mode: FaultyMode, options: FaultyOptions = {}): Promise<Scene> {
  return startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: 'cli', ...faultyCli(mode, options) } });
}

describe('the cli backend', () => {
  it.each<[FaultyMode, string]>([
    ['crash-mid-turn', 'Claude Code exited with code 1 before the turn was over: faulty-cli: out of luck'],
    ['crash-mid-line', 'Claude Code exited with code 1 before the turn was over: faulty-cli: out of breath'],
    ['kill-self-mid-turn', 'Claude Code was ended by SIGKILL before the turn was over'],
    ['exit-without-result', 'Claude Code exited with code 0 before the turn was over'],
  ])('tells a crash as the result of the turn: %s', async (mode, result) => {
    const scene = await startFaulty(mode);

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: false,
      json: {
        status: 'error',
        result: { result, isError: true, outcome: 'failed', errorSubtype: 'crashed', turn: 1 },
      },
    });
    await expectQuiet(scene, [{ sessionId: started.json.sessionId, status: 'error', outcome: 'failed' }]);
  });

  it.each<[FaultyMode, readonly unknown[]]>([
    ['garbage', [{ type: 'text', text: 'All good.' }]],
    ['half-line', [{ type: 'text', text: 'Grüße, 世界 🌍' }]],
    ['late-result', [{ type: 'status', text: expect.stringContaining('no prompt') }, { type: 'text' }]],
  ])('ends a turn well in spite of %s, and the next', async (mode, events) => {
    const scene = await startFaulty(mode);

    const started = await start(scene);
    const { sessionId } = started.json;
    const told = await eventsOf(scene, sessionId);
    const replied = await reply(scene, sessionId);

    const result = { result: 'All good.', isError: false, outcome: 'completed' };
    expect(started.json).toMatchObject({ status: 'idle', result: { ...result, turn: 1 } });
    expect(told).toMatchObject([...events, { type: 'result', outcome: 'completed' }]);
    expect(replied.json).toMatchObject({ sessionId, status: 'idle', result: { ...result, turn: 2 } });
  });

  it('passes on what it does not know as raw events', async () => {
    const scene = await startFaulty('unknown-types');

    const { sessionId, result } = (await start(scene)).json;
    const told = await eventsOf(scene, sessionId);

    expect(result).toMatchObject({ result: 'All good.', isError: false });
    expect(told.slice(0, 2)).toEqual([
      { seq: 1, type: 'raw', messageType: 'hologram' },
      { seq: 2, type: 'raw', messageType: 'system/weather_report' },
    ]);
  });

  it.each<[FaultyMode, string, string]>([
    [
      'dialog',
      '"behavior":"cancelled"',
      'Claude Code opened a dialog (refusal_fallback_prompt), which was cancelled',
    ],
    ['elicitation', '"action":"cancel"', 'The MCP server nested asked for input, which was cancelled'],
  ])('answers a question that nobody here can answer (%s)', async (mode, answer, status) => {
    const scene = await startFaulty(mode);

    const started = await start(scene);
    const told = await eventsOf(scene, started.json.sessionId);

    expect(started.json).toMatchObject({
      status: 'idle',
      result: { result: expect.stringContaining(answer), isError: false },
    });
    expect(told).toMatchObject([{ type: 'status', text: status }, { type: 'result' }]);
  });

  it('is not drowned by a flood of 100,000 events, nor by a line of megabytes', async () => {
    const flood = await startFaulty('flood', { count: 100_000 });
    const huge = await startFaulty('huge-line');

    const [flooded, swallowed] = await Promise.all([start(flood), start(huge)]);

    expect(flooded.json).toMatchObject({ status: 'idle', result: { result: 'Sent 100000 events.' } });
    expect(swallowed.json).toMatchObject({ status: 'idle', result: { result: 'All good.' } });
  });

  it.each<[FaultyMode, RegExp]>([
    ['exit-at-once', /^Error \[UNAVAILABLE\]: Claude Code exited with code 1: faulty-cli: cannot start here/],
    ['silent', /^Error \[TIMEOUT\]: Claude Code was not ready within 1500 ms/],
    ['garbage-only', /^Error \[TIMEOUT\]: Claude Code was not ready within 1500 ms/],
    [
      'old-version',
      /^Error \[UNAVAILABLE\]: .*--version says "1\.0\.128 \(Claude Code\)", needed is 2\.1\.0 or later, below 3; update it with `claude update`/,
    ],
    ['no-version', /^Error \[UNAVAILABLE\]: .*--version says no version, needed is 2\.1\.0 or later/],
    [
      'no-permission-server',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because its permission server is failed: nobody could have been asked/,
    ],
  ])('refuses a start that goes wrong, and leaves nothing: %s', async (mode, words) => {
    const scene = await startFaulty(mode);

    const started = await start(scene, { advanced: { sessionInitTimeoutMs: 1_500 } });

    expect(started).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    await expectQuiet(scene, []);
  });

  it('refuses a start without an executable, and says what a person must do', async () => {
    const env = { CLAUDE_CODE_MCP_BACKEND: 'cli', CLAUDE_CODE_PATH: '/no/such/claude' };
    const scene = await startScene({ era: 'legacy', env });

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: 'Error [UNAVAILABLE]: Claude Code could not be started: spawn /no/such/claude ENOENT. Install Claude Code, or let the operator set CLAUDE_CODE_PATH to its executable.',
    });
  });

  it('ends a Claude Code that ignores interrupt, end of input and signals, within three seconds', async () => {
    const scene = await startFaulty('ignores-interrupt');
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const askedAt = Date.now();
    const cancelled = await scene.server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(Date.now() - askedAt).toBeLessThan(3_000);
    expect(cancelled.json).toMatchObject({ sessionId, status: 'cancelled' });
    await expectQuiet(scene, [{ sessionId, status: 'cancelled' }]);
  });

  it('interrupts a Claude Code that takes no interrupt by its input with a signal, and resumes', async () => {
    const scene = await startFaulty('deaf-to-interrupt');
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const interrupted = await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(interrupted.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    await expectQuiet(scene, [{ sessionId, status: 'idle' }]);
  });
});
