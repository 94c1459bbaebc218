import { expect } from 'vitest';
import { start, wants } from './approval-moves.js';
import type { Scene } from './fixture.js';
import type { MessageStep } from './model-steps.js';

/** Runs the calls in one session and denies every request; returns what was asked about. */
export async function denyAll(
  scene: Scene,
  calls: readonly MessageStep[],
  options: object,
): Promise<unknown[]> {
  wants(scene, ...calls);
  const asked: unknown[] = [];
  let { json } = await start(scene, { ...options });
  while (json.status === 'waiting' && asked.length < calls.length) {
    const [action] = json.actions ?? [];
    asked.push(action?.input);
    ({ json } = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'deny',
    }));
  }
  expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
  return asked;
}
