import { expect } from 'vitest';
import type { InProcessScene } from './in-process.js';

/** A session that has answered and waits for more. */
export async function startIdle(
  { server, sandbox }: Pick<InProcessScene, 'server' | 'sandbox'>,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', {
    prompt: 'remember the word heron',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(json).toMatchObject({ status: 'idle', result: { turn: 1 } });
  return json.sessionId;
}
