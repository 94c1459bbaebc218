import { describe, expect, it } from 'vitest';
import type { FaultyMode } from '../../kit/faulty-cli-env.js';
import { startScene } from '../../kit/fixture.js';
import { expectQuiet, start, startFaulty } from './fault-scene.js';

const backend = 'cli';

describe('the cli backend', () => {
  it('is not drowned by a flood of 100,000 events, nor by a line of megabytes', async () => {
    const flood = await startFaulty('flood', { backend, count: 100_000 });
    const huge = await startFaulty('huge-line', { backend });

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
      /^Error \[UNAVAILABLE\]: the cli backend needs Claude Code 2\.1\.315 or later, below 3, but .* --version printed "1\.0\.128 \(Claude Code\)"\. Update it with `claude update`, or ask the operator to/,
    ],
    [
      'no-version',
      /^Error \[UNAVAILABLE\]: the cli backend needs Claude Code 2\.1\.315 .*--version printed no version/,
    ],
    [
      'other-version-inside',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because it is version "2\.1\.200", but the cli backend needs 2\.1\.315 or later/,
    ],
    [
      'no-permission-server',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because its permission server is failed, so no approver could be asked/,
    ],
  ])('refuses a start that goes wrong, and leaves nothing: %s', async (mode, words) => {
    const scene = await startFaulty(mode, { backend });

    const started = await start(scene, { advanced: { sessionInitTimeoutMs: 1_500 } });

    expect(started).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    await expectQuiet(scene, []);
  });

  it('refuses a start without an executable, and says what a person must do', async () => {
    const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_PATH: '/no/such/claude' };
    const scene = await startScene({ era: 'legacy', env });

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: 'Error [UNAVAILABLE]: Claude Code could not be started: spawn /no/such/claude ENOENT. Install Claude Code, or ask the operator to set CLAUDE_CODE_PATH to its executable.',
    });
  });

  it('interrupts a Claude Code that takes no interrupt by its input with a signal, and resumes', async () => {
    const scene = await startFaulty('deaf-to-interrupt', { backend });
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const interrupted = await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(interrupted.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    await expectQuiet(scene, [{ sessionId, status: 'idle' }]);
    const resumed = await scene.server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 0 });
    expect(resumed.json).toMatchObject({ sessionId, status: 'running' });
  });
});
