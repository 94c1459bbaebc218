import { describe, expect, it } from 'vitest';
import { SharedBudget } from '../../src/state/money/shared-budget.js';
import { idleScene, startedScene, until } from './session-scene.js';

describe('background tasks', () => {
  it('are shown and keep the session from resting', async () => {
    const { session, process } = await idleScene();

    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });

    expect(session.view.tasks).toEqual([{ taskId: 't1', text: 'npm run dev' }]);
    expect([session.view.isAtRest, session.canEvict()]).toEqual([false, false]);
  });

  it('that end leave time for the turn that reports them', async () => {
    const { session, process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });
    const rested = until(session, ({ view }) => view.isAtRest);

    process.signal({ type: 'tasks', tasks: [] });
    expect(session.view.isAtRest).toBe(false);
    clock.advance(10_000);

    await rested;
    expect(session.canEvict()).toBe(true);
  });

  it('that end with their process leave nothing to wait for', async () => {
    const { session, process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [] });

    process.exit();

    expect(session.view.isAtRest).toBe(true);
    clock.advance(10_000);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('keep the reservation of the turn until they end', async () => {
    const budget = new SharedBudget('family', undefined);
    const { session, process, clock } = await startedScene({
      options: { maxBudgetUsd: 1 },
      seed: { budget },
    });
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });

    process.result({ costUsd: 0.25 });
    const meanwhile = budget.reservations.of(session.id);
    process.signal({ type: 'tasks', tasks: [] });
    clock.advance(10_000);

    expect([meanwhile, budget.reservations.of(session.id)]).toEqual([0.75, 0]);
  });

  it('that begin a turn without budget are stopped', async () => {
    const budget = new SharedBudget('family', undefined);
    const { session, process } = await idleScene({ options: { maxBudgetUsd: 1 }, seed: { budget } });
    budget.spend('a fork', 1);

    process.activity('running');
    process.unsolicitedResult({ outcome: 'interrupted' });

    expect(process.interrupts).toBe(1);
    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'max_budget', isError: true });
  });
});
