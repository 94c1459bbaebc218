import { describe, expect, it } from 'vitest';
import { Slots } from '../../src/session/services/slots.js';
import { SharedBudget } from '../../src/state/money/shared-budget.js';
import { until as eventually } from '../kit/until.js';
import {
  idleScene,
  reply,
  startedScene,
  until,
  untilProcessOrEnd,
  type SceneOptions,
} from './session-scene.js';

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

  it.each([
    ['answer at last', { type: 'init', tools: [], claudeSessionId: '', permissionMode: 'default' }],
    ['say that they work', { type: 'activity', state: 'running' }],
  ] as const)(
    'that are subagents begin a turn when they %s, however long that takes',
    async (_when, sign) => {
      const { session, process, clock } = await idleScene();
      process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'look around', isAgent: true }] });

      process.signal({ type: 'tasks', tasks: [] });
      process.signal(sign);
      clock.advance(60_000);

      expect([session.view.state.status, session.canEvict()]).toEqual(['running', false]);
      void session.interrupt();
      expect(process.interrupts).toBe(1);
      process.unsolicitedResult({ outcome: 'interrupted' });
    },
  );

  it('that end during a turn leave time for the turn that reports them, until Claude Code is idle', async () => {
    const budget = new SharedBudget('family', undefined);
    const { session, process } = await startedScene({ options: { maxBudgetUsd: 1 }, seed: { budget } });
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'look around', isAgent: true }] });

    process.signal({ type: 'tasks', tasks: [] });
    process.result({ costUsd: 0.25 });
    const after = [session.view.isAtRest, session.canEvict(), budget.reservations.of(session.id)];
    process.activity('idle');

    expect(after).toEqual([false, false, 0.75]);
    expect([session.view.isAtRest, session.canEvict(), budget.reservations.of(session.id)]).toEqual([
      true,
      true,
      0,
    ]);
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

  it('are interrupted although no turn runs', async () => {
    const { session, process } = await idleScene();
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'look around', isAgent: true }] });

    await session.interrupt();

    expect(process.interrupts).toBe(1);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
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

describe('what background work has cost without a report', () => {
  const fiveDollars = { id: 'a', usage: { output_tokens: 1_000_000 }, chars: 1, model: 'claude-haiku-4-5' };

  /** A session whose subagent works in the background. */
  async function working(options: SceneOptions = {}) {
    const scene = await idleScene(options);
    scene.process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'look around' }] });
    scene.process.signal({ type: 'message_seen', uuid: 'u', answer: { ...fiveDollars, agent: 'toolu_1' } });
    return scene;
  }

  it('is charged when another process takes over', async () => {
    const { session, backend } = await working();

    await reply(session, 'more', { maxTurns: 3 });
    const next = await backend.process(1);
    await next.prompt(0);
    next.init();
    next.result();

    expect(session.view.totals.costUsd).toBe(5.02);
  });

  it('is charged when the process exits before it takes the next prompt', async () => {
    const { session, backend, process } = await working();
    await reply(session, 'more');
    await process.prompt(1);

    process.exit();
    const next = await backend.process(1);
    await next.prompt(0);
    next.init();
    next.result();

    expect(session.view.totals.costUsd).toBe(5.02);
  });

  it('is still charged after a prompt that could not be paid', async () => {
    const { session, process } = await working();
    await reply(session, 'more', { maxBudgetUsd: 0.001 });

    process.exit();

    expect(session.view.totals.costUsd).toBe(5.01);
  });

  it('leaves the rest to the process that takes over', async () => {
    const { session, backend } = await working({ options: { maxBudgetUsd: 8 } });

    await reply(session, 'more', { maxTurns: 3 });
    const next = await backend.process(1);

    expect(next.launch.budgetLeftUsd).toBeCloseTo(2.99);
    expect(session.view.openTurn?.reservedUsd).toBeCloseTo(2.99);
  });

  it.each([
    ['another process is needed', { maxTurns: 3 }],
    ['its process exits', {}],
  ])('ends the next turn if it leaves nothing and %s', async (_when, changes) => {
    const scene = await working({ options: { maxBudgetUsd: 3 } });
    await reply(scene.session, 'more', changes);
    if (!('maxTurns' in changes)) {
      await scene.process.prompt(1);
      scene.process.exit();
    }

    expect(await untilProcessOrEnd(scene, 1)).toBe('turn ended');

    expect(scene.session.view.lastResult).toMatchObject({ errorSubtype: 'max_budget', turn: 2 });
    expect(scene.session.view.totals.costUsd).toBe(5.01);
    await eventually('the slot is free', () => !scene.slots.isInUse);
    expect(scene.backend.processes).toHaveLength(1);
  });

  it('leaves its slot to a prompt that waits with a higher budget, if it leaves nothing to the next turn', async () => {
    const slots = new Slots(1);
    const { session, backend } = await working({ options: { maxBudgetUsd: 3 }, slots });

    const replied = reply(session, 'more', { maxTurns: 3 });
    await reply(session, 'later', { whenBusy: 'queue', maxBudgetUsd: 100 });
    await replied;
    const next = await backend.process(1);
    await next.prompt(0);

    expect(next.prompts).toMatchObject([{ text: 'later' }]);
    expect(slots.hasRoom).toBe(false);
  });
});

it('background work goes on in its process with what is reserved for it, although the budget of the day has shrunk', async () => {
  let dayLeftUsd = 10;
  const { session, backend, process } = await idleScene({
    get dayLeftUsd() {
      return dayLeftUsd;
    },
  });
  await reply(session, 'serve');
  await process.prompt(1);
  process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });
  process.result({}, process.prompts.slice(-1));
  dayLeftUsd = 6;

  await reply(session, 'more');
  await Promise.race([process.prompt(2), backend.process(1)]);

  expect(backend.processes).toHaveLength(1);
});
