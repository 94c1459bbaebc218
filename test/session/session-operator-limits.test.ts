import { expect, it } from 'vitest';
import { reply, startedScene, type SceneOptions } from './session-scene.js';

/** Why the turn failed, as far as it decides the next step. */
async function refusalAfter(
  errorSubtype: 'max_turns' | 'max_budget',
  costUsd: number,
  scene: SceneOptions,
): Promise<string | undefined> {
  const { session, process } = await startedScene(scene);
  process.result({ outcome: 'failed', errorSubtype, costUsd });
  expect(session.view.lastResult).toMatchObject({ isError: true, errorSubtype });
  return session.view.lastResult?.refusal?.reason;
}

it.each<[string, SceneOptions, string | undefined]>([
  [
    'as many model calls as the operator allows',
    { options: { maxTurns: 2 }, maxModelCalls: 2 },
    'model_calls_spent',
  ],
  ['as many as its caller allows', { options: { maxTurns: 1 }, maxModelCalls: 2 }, undefined],
  ['as many as its caller allows, where the operator sets no limit', { options: { maxTurns: 2 } }, undefined],
])('a turn that makes %s names whose limit it was', async (_, scene, reason) => {
  expect(await refusalAfter('max_turns', 0, scene)).toBe(reason);
});

it.each<[string, SceneOptions, number, string | undefined]>([
  [
    'as much as the operator allows',
    { options: { maxBudgetUsd: 0.01 }, maxBudgetUsd: 0.01 },
    0.02,
    'session_budget_spent',
  ],
  ['as much as its caller allows', { options: { maxBudgetUsd: 0.01 }, maxBudgetUsd: 5 }, 0.02, undefined],
  [
    'as much as its caller allows, where the operator sets no limit',
    { options: { maxBudgetUsd: 0.01 } },
    0.02,
    undefined,
  ],
  ['all that the day has left', { options: { maxBudgetUsd: 5 }, dayLeftUsd: 0.01 }, 0.02, 'day_budget_spent'],
  ['its half of what the day has left', { dayLeftUsd: 2 }, 1, 'budget_share_spent'],
])('a turn that spends %s names whose limit it was', async (_, scene, costUsd, reason) => {
  expect(await refusalAfter('max_budget', costUsd, scene)).toBe(reason);
});

it('a prompt that finds everything spent that the operator allows names this limit, too', async () => {
  const { session, process } = await startedScene({ options: { maxBudgetUsd: 0.01 }, maxBudgetUsd: 0.01 });
  process.result({ costUsd: 0.02 });

  await reply(session, 'second');

  expect(session.view.lastResult).toMatchObject({
    errorSubtype: 'max_budget',
    refusal: { reason: 'session_budget_spent' },
  });
});
