import { describe, expect, it } from 'vitest';
import { backends, expectQuietAfter, shareFaulty, start } from './fault-scene.js';

describe.each(backends)('a Claude Code that ignores interrupt, end of input and SIGTERM, %s', (backend) => {
  const useMode = shareFaulty(backend);

  it('is ended by cancel, within three seconds', async () => {
    const scene = useMode('ignores-interrupt');
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const askedAt = Date.now();
    const cancelled = await scene.server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(Date.now() - askedAt).toBeLessThan(3_000);
    expect(cancelled.json).toMatchObject({ sessionId, status: 'cancelled' });
    await expectQuietAfter(scene, { sessionId, status: 'cancelled' });
  });

  it('is ended at the time limit of its turn, and the result says so', async () => {
    const scene = useMode('ignores-interrupt');

    const started = await start(scene, { advanced: { timeoutMs: 1_000 } });

    expect(started.json).toMatchObject({
      status: 'error',
      result: {
        result: 'The turn was stopped because it reached its time limit.',
        isError: true,
        outcome: 'failed',
        errorSubtype: 'time_limit',
        nextStep: 'Reply to continue, with a higher timeoutMs if it needs more.',
      },
    });
    await expectQuietAfter(scene, { sessionId: started.json.sessionId, status: 'error' });
  });

  // The last case, because it ends the server that they share.
  it('is ended with the server, within three seconds', async () => {
    const scene = useMode('ignores-interrupt');
    const { server, sandbox } = scene;
    await start(scene, { waitMs: 0 });

    const endedAt = Date.now();
    server.endInput();
    const exit = await server.exited;

    expect(Date.now() - endedAt).toBeLessThan(3_000);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(sandbox.processes()).toEqual([]);
  });
});
