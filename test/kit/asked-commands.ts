import { expect } from 'vitest';
import { start, wants } from './approval-moves.js';
import type { Scene } from './fixture.js';
import { tool } from './model-steps.js';

/** Lets the model run these commands one by one, and denies every request. Returns the commands that were asked about. */
export async function askedCommands(
  scene: Scene,
  commands: readonly string[],
  options: Record<string, unknown> = {},
): Promise<unknown[]> {
  wants(scene, ...commands.map((command) => tool('Bash', { command })));
  const asked: unknown[] = [];
  let { json } = await start(scene, options);
  while (json.status === 'waiting' && asked.length < commands.length) {
    const [action] = json.actions ?? [];
    asked.push((action?.input as { command?: unknown } | undefined)?.command);
    ({ json } = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'deny',
    }));
  }
  expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
  return asked;
}
