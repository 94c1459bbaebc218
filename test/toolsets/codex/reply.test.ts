import { expect, it } from 'vitest';
import { codexTools } from '../../../src/toolsets/codex/index.js';
import { toolContext } from '../../kit/callers.js';
import { createManagerScene, startIn } from '../../sessions/manager-scene.js';

it('stops Claude, even if it is cancelled before its turn begins', async () => {
  const scene = await createManagerScene();
  const [, reply] = codexTools({ maxExecutionMs: 300_000 });
  if (reply === undefined) throw new Error('there is no codex-reply');
  const { session, process } = await startIn(scene);
  process.result();
  const cancel = new AbortController();

  const answer = reply.parse({ threadId: session.id, prompt: 'more' })(
    { sessions: scene.manager, maxWaitMs: 45_000, words: reply.vocabulary },
    toolContext({ signal: cancel.signal }),
  );
  cancel.abort();

  await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(session.view.turnNumber).toBe(2);
  expect(session.view.state.status).toBe('idle');
  expect(process.hasExited).toBe(true);
});
