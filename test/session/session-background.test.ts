import { describe, expect, it } from 'vitest';
import { idleScene, until } from './session-scene.js';

describe('background tasks', () => {
  it('are shown, and keep the session from its rest', async () => {
    const { session, process } = await idleScene();

    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });

    expect(session.tasks).toEqual([{ taskId: 't1', text: 'npm run dev' }]);
    expect([session.isAtRest, session.canEvict()]).toEqual([false, false]);
  });

  it('that have ended leave some time for the turn that tells of them', async () => {
    const { session, process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });
    const rested = until(session, ({ isAtRest }) => isAtRest);

    process.signal({ type: 'tasks', tasks: [] });
    expect(session.isAtRest).toBe(false);
    clock.advance(10_000);

    await rested;
    expect(session.canEvict()).toBe(true);
  });

  it('that ended with their process leave nothing to wait for', async () => {
    const { session, process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [] });

    process.exit();

    expect(session.isAtRest).toBe(true);
    clock.advance(10_000);
    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
  });
});
