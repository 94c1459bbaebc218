import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { settledInputs } from '../kit/person.js';
import { ask, exists, touch } from '../kit/approval-moves.js';

const planning = { permissionMode: 'plan' } as const;
const held = (scene: Scene, options: object = {}) =>
  ask(scene, tool('Bash', touch), { ...planning, ...options });

const session = (scene: Scene, action: string, sessionId: string) =>
  scene.server.call('claude_code_session', { action, sessionId });

describe('a call that the gate holds', () => {
  const era = 'legacy';
  it('runs once when it is allowed', async () => {
    const scene = await startScene({ era });
    const { requestId } = await ask(scene, tool('Bash', { command: 'echo line >> a.txt' }), planning);

    const done = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
    expect(settledInputs(scene.server)).toMatchObject([{ decision: 'allow', answeredBy: 'caller' }]);
  });

  it.each([
    ['interrupt', 'interrupted', 'interrupt'],
    ['cancel', 'interrupted', 'cancel'],
  ])('is let go by %s, and does not run', async (action, outcome, answeredBy) => {
    const scene = await startScene({ era });
    const { sessionId } = await held(scene);

    const over = await session(scene, action, sessionId);

    expect(over.json).toMatchObject({ result: { outcome } });
    expect(scene.model.requests(sessionId)).toHaveLength(1);
    expect(exists(scene, 'a.txt')).toBe(false);
    expect(settledInputs(scene.server)).toMatchObject([{ decision: 'deny', answeredBy }]);
  });

  it('is let go when the server ends, and nothing is left', async () => {
    const scene = await startScene({ era });
    await held(scene);

    scene.server.endInput();
    await scene.server.exited;

    expect(exists(scene, 'a.txt')).toBe(false);
    expect(scene.sandbox.processes()).toEqual([]);
  });
});
