import { describe, expect, it } from 'vitest';
import type { FaultyMode } from '../../kit/faulty-cli-env.js';
import { expectQuiet, shareFaulty, start } from './fault-scene.js';

describe('the cli backend', () => {
  const useMode = shareFaulty('cli');

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
      'other-program',
      /^Error \[UNAVAILABLE\]: the cli backend needs Claude Code 2\.1\.315 .*--version printed "cat \(GNU coreutils\) 9\.4"/,
    ],
    [
      'other-version-confirmed',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because it is version "2\.1\.200", but the cli backend needs 2\.1\.315 or later/,
    ],
    [
      'other-version-inside',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because it is version "2\.1\.200", but the cli backend needs 2\.1\.315 or later/,
    ],
    [
      'no-gate',
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because it does not let this server judge its calls: hooks_applied is false/,
    ],
  ])('refuses a start that goes wrong, and leaves nothing: %s', async (mode, words) => {
    const scene = useMode(mode);

    const started = await start(scene, { advanced: { sessionInitTimeoutMs: 1_500 } });

    expect(started).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    await expectQuiet(scene, []);
  });

  it('refuses a start without an executable, and says what a person must do', async () => {
    const scene = useMode(undefined);

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: `Error [UNAVAILABLE]: Claude Code could not be started: spawn ${scene.executable} ENOENT. Install Claude Code, or ask the operator to set CLAUDE_CODE_PATH to its executable.`,
    });
  });

  it('interrupts a Claude Code that takes no interrupt by its input with a signal, and resumes', async () => {
    const scene = useMode('deaf-to-interrupt');
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const interrupted = await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(interrupted.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    await expectQuiet(scene, [{ sessionId, status: 'idle' }]);
    const resumed = await scene.server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 0 });
    expect(resumed.json).toMatchObject({ sessionId, status: 'running' });
    await scene.server.call('claude_code_session', { action: 'cancel', sessionId });
  });

  it('is not drowned by a flood of 100,000 events', async () => {
    const flooded = await start(useMode('flood', { count: 100_000 }));

    expect(flooded.json).toMatchObject({ status: 'idle', result: { result: 'Sent 100000 events.' } });
  });

  it('goes by the version that the process confirms, without asking the executable for it', async () => {
    const started = await start(useMode('other-version-printed'));

    expect(started.json).toMatchObject({ status: 'idle', result: { isError: false } });
  });
});
