import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { CountedLocks } from '../kit/locks.js';
import { createScene, startedScene } from './session-scene.js';

it('a session is released although nobody can tell what its process has written', async () => {
  const locks = new CountedLocks();
  let isReadable = true;
  const claudeHome = resolveClaudeHome({ home: '/nowhere/home' });
  const { projectsDir } = claudeHome;
  Object.defineProperty(claudeHome, 'projectsDir', {
    get: () => {
      if (isReadable) return projectsDir;
      throw new Error('EIO: i/o error');
    },
  });
  const { process, session } = await startedScene({ locks, claudeHome });
  process.answer('one', 'one');
  process.result();

  isReadable = false;
  process.exit();

  await expect.poll(() => locks.ours.size).toBe(0);
  expect(session.view.notSaved).toBeUndefined();
});

it('a session that has forgotten answers before says so when another server has forgotten more', () => {
  const { session } = createScene({ seed: { turn: 7, forgotAfter: 2 } });
  const { totals } = session.view;
  const before = session.view.notSaved;

  session.catchUp({ totals, forgotAfter: 7 });
  session.catchUp({ totals, forgotAfter: 2 });

  expect([before, session.view.notSaved]).toEqual([
    undefined,
    expect.stringContaining('could not write its last answers'),
  ]);
});
