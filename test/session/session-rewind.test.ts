import { expect, it } from 'vitest';
import { idleScene, untilStatus } from './session-scene.js';

const options = { enableFileCheckpointing: true };

it('a rewind costs nothing if Claude Code exits while it waits for approval', async () => {
  const { session, process } = await idleScene({ options });
  const { costUsd } = session.view.totals;
  await session.rewind({ messageId: 'message', isUnread: false }, { dryRun: false });
  await untilStatus(session, 'waiting');

  process.exit();
  await untilStatus(session, 'error');

  expect(session.view.totals.costUsd).toBe(costUsd);
  expect(session.view.lastResult).toMatchObject({ startedBy: 'rewind', totalCostUsd: 0 });
});

it('a rewind is no prompt, reserves no budget, and cannot run again when its server ends', async () => {
  const { session } = await idleScene({ options: { ...options, maxBudgetUsd: 1 } });
  await session.rewind({ messageId: 'message', isUnread: false }, { dryRun: false });
  await untilStatus(session, 'waiting');
  const { openTurn, openCostUsd, prompts } = session.view;
  const [request] = session.view.openInputs;

  await session.shutdown();

  expect(openTurn).toEqual({ turn: 2, startedAt: expect.any(Number), startedBy: 'rewind', prompts: [] });
  expect([openCostUsd, prompts.length]).toEqual([undefined, 1]);
  expect(session.view.cutTurn).toBeUndefined();
  expect(session.view.voided).toEqual([request?.requestId]);
  expect(session.view.lastResult).toMatchObject({ errorSubtype: 'server_restarted', startedBy: 'rewind' });
});
