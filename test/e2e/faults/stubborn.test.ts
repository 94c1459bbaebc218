import { describe, expect, it } from 'vitest';
import { backends, expectQuiet, start, startFaulty } from './fault-scene.js';

describe.each(backends)('a Claude Code that ignores interrupt, end of input and SIGTERM, %s', (backend) => {
  it('is ended by cancel, within three seconds', async () => {
    const scene = await startFaulty('ignores-interrupt', { backend });
    const { sessionId } = (await start(scene, { waitMs: 0 })).json;

    const askedAt = Date.now();
    const cancelled = await scene.server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(Date.now() - askedAt).toBeLessThan(3_000);
    expect(cancelled.json).toMatchObject({ sessionId, status: 'cancelled' });
    await expectQuiet(scene, [{ sessionId, status: 'cancelled' }]);
  });

  it('is ended with the server, within three seconds', async () => {
    const { server, sandbox, ...rest } = await startFaulty('ignores-interrupt', { backend });
    await start({ server, sandbox, ...rest }, { waitMs: 0 });

    const endedAt = Date.now();
    server.endInput();
    const exit = await server.exited;

    expect(Date.now() - endedAt).toBeLessThan(3_000);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(sandbox.processes()).toEqual([]);
  });

  it('is ended at the time limit of its turn, and the result says so', async () => {
    const scene = await startFaulty('ignores-interrupt', { backend });

    const started = await start(scene, { advanced: { timeoutMs: 200 } });

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
    await expectQuiet(scene, [{ sessionId: started.json.sessionId, status: 'error' }]);
  });
});
