import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FaultyMode } from '../../kit/faulty-cli-env.js';
import { expectQuiet, shareFaulty, start } from './fault-scene.js';

describe('a start', () => {
  const useMode = shareFaulty('agent-sdk');

  it('that fails at once is UNAVAILABLE, with the last words of Claude Code', async () => {
    const scene = useMode('exit-at-once');

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: "Error [UNAVAILABLE]: Claude Code exited with code 1: faulty-cli: cannot start here. Run `claude --version` on the server's machine to check that Claude Code works.",
    });
    await expectQuiet(scene, []);
  });

  it.each([
    ['is missing', 'ENOENT'],
    ['is a folder', 'EACCES'],
  ])('whose executable %s is UNAVAILABLE, and says what a person must do', async (name, reason) => {
    const scene = useMode(undefined);
    if (name === 'is a folder') mkdirSync(scene.executable);

    const started = await start(scene);
    rmSync(scene.executable, { recursive: true, force: true });

    expect(started).toMatchObject({
      isError: true,
      text: `Error [UNAVAILABLE]: Claude Code could not be started: spawn ${scene.executable} ${reason}. Install Claude Code, or ask the operator to set CLAUDE_CODE_PATH to its executable.`,
    });
    await expectQuiet(scene, []);
  });

  it('in silence is a TIMEOUT at the limit the caller set, with what was said on stderr', async () => {
    const scene = useMode('silent', { stderr: 'warming up the tubes' });

    // The limit of the turn is shorter, but no turn has begun.
    const started = await start(scene, { advanced: { sessionInitTimeoutMs: 1_500, timeoutMs: 1_000 } });

    expect(started).toMatchObject({
      isError: true,
      text: `Error [TIMEOUT]: Claude Code was not ready within 1500 ms: warming up the tubes. Check that the server's machine can reach api.anthropic.com: without it, Claude Code needs 20 seconds to start. Try again with a larger advanced.sessionInitTimeoutMs, or ask the operator to raise CLAUDE_CODE_MCP_START_TIMEOUT_MS.`,
    });
    await expectQuiet(scene, []);
  });

  it.each<FaultyMode>(['silent-after-initialize', 'garbage-only'])(
    'that never gets to a conversation is a TIMEOUT: %s',
    async (mode) => {
      const scene = useMode(mode);

      const started = await start(scene, { advanced: { sessionInitTimeoutMs: 300 } });

      expect(started).toMatchObject({
        isError: true,
        text: expect.stringMatching(
          /^Error \[TIMEOUT\]: Claude Code was not ready within 300 ms\. Check that /,
        ),
      });
      await expectQuiet(scene, []);
    },
  );

  it('whose complaint is long tells the end of it', async () => {
    const scene = useMode('exit-at-once', { stderr: `${'x'.repeat(50_000)} and so on` });

    const started = await start(scene);

    expect(started.text.length).toBeLessThanOrEqual(7_500);
    expect(started.text).toMatch(
      /^Error \[UNAVAILABLE\]: .*x and so on\nfaulty-cli: cannot start here\. Run/s,
    );
  });
});
