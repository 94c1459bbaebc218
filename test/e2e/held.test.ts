import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { settledInputs } from '../kit/person.js';
import { ask, exists, touch, wants } from '../kit/approval-moves.js';

const planning = { permissionMode: 'plan' } as const;
const session = (scene: Scene, action: string, sessionId: string) =>
  scene.server.call('claude_code_session', { action, sessionId });

describe('a call that the gate holds', () => {
  const era = 'legacy';
  it('runs once when it is allowed, and not when an interrupt or a cancel lets it go', async () => {
    const scene = await startScene({ era });
    const line = tool('Bash', { command: 'echo line >> b.txt' });
    const { sessionId, requestId } = await ask(scene, line, planning);
    const reply = { sessionId, prompt: 'do it', waitMs: 20_000 };

    const done = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });
    wants(scene, tool('Bash', touch));
    const second = await scene.server.call('claude_code_reply', reply);
    const interrupted = await session(scene, 'interrupt', sessionId);
    const third = await scene.server.call('claude_code_reply', reply);
    const requestsBefore = scene.model.requests(sessionId).length;
    const cancelled = await session(scene, 'cancel', sessionId);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(readFileSync(join(scene.sandbox.project, 'b.txt'), 'utf8')).toBe('line\n');
    for (const { json } of [second, third])
      expect(json).toMatchObject({ status: 'waiting', actions: [{ input: touch }] });
    for (const { json } of [interrupted, cancelled])
      expect(json).toMatchObject({ result: { outcome: 'interrupted' } });
    expect(scene.model.requests(sessionId)).toHaveLength(requestsBefore);
    expect(exists(scene, 'a.txt')).toBe(false);
    expect(settledInputs(scene.server)).toMatchObject([
      { decision: 'allow', answeredBy: 'caller' },
      { decision: 'deny', answeredBy: 'interrupt' },
      { decision: 'deny', answeredBy: 'cancel' },
    ]);
  });

  it('is let go when the server ends, and nothing is left', async () => {
    const scene = await startScene({ era });
    await ask(scene, tool('Bash', touch), planning);

    scene.server.endInput();
    await scene.server.exited;

    expect(exists(scene, 'a.txt')).toBe(false);
    expect(scene.sandbox.processes()).toEqual([]);
  });
});
