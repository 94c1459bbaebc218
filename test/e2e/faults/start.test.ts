import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { FaultyMode } from '../../kit/faulty-cli-env.js';
import { startScene } from '../../kit/fixture.js';
import { expectQuiet, start, startFaulty } from './fault-scene.js';

describe('a start', () => {
  it('that fails at once is UNAVAILABLE, with the last words of Claude Code', async () => {
    const scene = await startFaulty('exit-at-once');

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: "Error [UNAVAILABLE]: Claude Code exited with code 1: faulty-cli: cannot start here. Run `claude --version` on the server's machine to check that Claude Code works.",
    });
    await expectQuiet(scene, []);
  });

  it.each([
    ['is missing', '/no/such/claude', 'ENOENT'],
    ['is a folder', tmpdir(), 'EACCES'],
  ])('whose executable %s is UNAVAILABLE, and says what a person must do', async (_name, path, reason) => {
    const scene = await startScene({ era: 'legacy', env: { CLAUDE_CODE_PATH: path } });

    const started = await start(scene);

    expect(started).toMatchObject({
      isError: true,
      text: `Error [UNAVAILABLE]: Claude Code could not be started: spawn ${path} ${reason}. Install Claude Code, or ask the operator to set CLAUDE_CODE_PATH to its executable.`,
    });
    await expectQuiet(scene, []);
  });

  it('in silence is a TIMEOUT at the limit the caller set, with what was said on stderr', async () => {
    const scene = await startFaulty('silent', { stderr: 'warming up the tubes' });

    const started = await start(scene, { advanced: { sessionInitTimeoutMs: 1_000 } });

    expect(started).toMatchObject({
      isError: true,
      text: 'Error [TIMEOUT]: Claude Code was not ready within 1000 ms: warming up the tubes. Try again with a larger advanced.sessionInitTimeoutMs.',
    });
    await expectQuiet(scene, []);
  });

  it.each<FaultyMode>(['silent-after-initialize', 'garbage-only'])(
    'that never gets to a conversation is a TIMEOUT: %s',
    async (mode) => {
      const scene = await startFaulty(mode);

      const started = await start(scene, { advanced: { sessionInitTimeoutMs: 300 } });

      expect(started).toMatchObject({
        isError: true,
        text: expect.stringMatching(
          /^Error \[TIMEOUT\]: Claude Code was not ready within 300 ms\. Try again/,
        ),
      });
      await expectQuiet(scene, []);
    },
  );

  it('whose complaint is long tells the end of it', async () => {
    const scene = await startFaulty('exit-at-once', { stderr: `${'x'.repeat(50_000)} and so on` });

    const started = await start(scene);

    expect(started.text.length).toBeLessThanOrEqual(7_500);
    expect(started.text).toMatch(
      /^Error \[UNAVAILABLE\]: .*x and so on\nfaulty-cli: cannot start here\. Run/s,
    );
  });
});
