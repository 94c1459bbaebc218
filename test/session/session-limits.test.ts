import { describe, expect, it } from 'vitest';
import { idleProcessMs, idleScene, reply, startedScene, statusTexts, untilStatus } from './session-scene.js';

describe('the time limit of a turn', () => {
  it('interrupts the turn and is the reason that is told', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(999);
    expect(process.interrupts).toBe(0);
    clock.advance(1);
    expect(process.interrupts).toBe(1);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.lastResult).toMatchObject({
      isError: true,
      errorSubtype: 'time_limit',
      result: 'The turn was stopped at its time limit.',
    });
  });

  it('stands still while a request is open', async () => {
    const { process, clock, broker, session } = await startedScene({ options: { timeoutMs: 1_000 } });
    clock.advance(900);
    void process.ask();

    clock.advance(30_000);
    expect(process.interrupts).toBe(0);
    broker.answer(session.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    clock.advance(99);
    expect(process.interrupts).toBe(0);
    clock.advance(1);

    expect(process.interrupts).toBe(1);
  });

  it('stands still until the last of several requests is answered', async () => {
    const { process, clock, broker, session } = await startedScene({ options: { timeoutMs: 1_000 } });
    void process.ask();
    void process.ask();

    broker.answer(session.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    clock.advance(50_000);

    expect(process.interrupts).toBe(0);
  });

  it('goes on with what was left when requests have overlapped', async () => {
    const { process, clock, broker, session } = await startedScene({ options: { timeoutMs: 1_000 } });
    clock.advance(400);
    void process.ask();
    clock.advance(100);
    void process.ask();
    const answerFirst = (): void =>
      broker.answer(session.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    answerFirst();
    clock.advance(100);
    answerFirst();

    clock.advance(599);
    expect(process.interrupts).toBe(0);
    clock.advance(1);

    expect(process.interrupts).toBe(1);
  });

  it('does not exist when none was set', async () => {
    const { process, clock, longestRunMs } = await startedScene();

    clock.advance(longestRunMs - 1);

    expect(process.interrupts).toBe(0);
  });

  it.each([
    ['a turn', false],
    ['a turn with an open request', true],
  ])('ends with the turn: %s', async (_what, asks) => {
    const { process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });
    if (asks) void process.ask();

    process.result();
    clock.advance(20_000);

    expect(process.interrupts).toBe(0);
  });

  it('beats the interrupt of a person that comes after it', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(1_000);
    const interrupted = session.interrupt();
    process.result({ outcome: 'interrupted' });
    await interrupted;

    expect(session.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
  });

  it('does not beat the interrupt that came before it', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    const interrupted = session.interrupt();
    clock.advance(1_000);
    process.result({ outcome: 'interrupted' });
    await interrupted;

    expect(session.state).toEqual({ status: 'idle', outcome: 'interrupted' });
  });

  it('is not told of a turn that was done all the same', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(1_000);
    process.result();

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('drops the queue, and says so', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });
    await reply(session, 'second', { whenBusy: 'queue' });

    clock.advance(1_000);
    process.result({ outcome: 'interrupted' });

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(statusTexts(session)).toEqual(['1 queued prompts were dropped']);
  });

  it('can be set for one reply, and for that one only', async () => {
    const { session, process, clock } = await idleScene();
    await reply(session, 'second', { timeoutMs: 500 });
    await process.prompt(1);

    clock.advance(500);
    process.result({ outcome: 'interrupted' });
    await reply(session, 'third');
    await process.prompt(2);
    clock.advance(60_000);

    expect([session.turnNumber, process.interrupts]).toEqual([3, 1]);
  });
});

describe('the longest run', () => {
  it('ends a turn that waits for a person, and withdraws the request', async () => {
    const { session, process, clock, longestRunMs } = await startedScene({
      options: { permissionRequestTimeoutMs: 0 },
    });
    const answer = process.ask();

    clock.advance(longestRunMs);
    process.result({ outcome: 'interrupted' });

    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
    expect(session.log.read(0).events).toMatchObject([
      { type: 'input_request' },
      { type: 'input_resolved', answeredBy: 'timeout' },
      { type: 'result' },
    ]);
  });
});

describe('a process that ignores the interrupt', () => {
  it('is stopped after the grace, and the turn counts as interrupted', async () => {
    const { session, process, clock } = await startedScene();

    const interrupted = session.interrupt();
    clock.advance(4_999);
    expect(process.isStopping).toBe(false);
    clock.advance(1);
    await interrupted;

    expect(process.hasExited).toBe(true);
    expect(session.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(session.lastResult).toMatchObject({ result: 'Interrupted.' });
  });

  it('is stopped after a time limit too', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(6_000);
    await untilStatus(session, 'error');

    expect(process.hasExited).toBe(true);
    expect(session.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
  });

  it('is left alone when the result came in time', async () => {
    const { session, process, clock } = await startedScene();

    const interrupted = session.interrupt();
    process.result({ outcome: 'interrupted' });
    await interrupted;
    clock.advance(5_000);

    expect(process.isStopping).toBe(false);
  });
});

describe('the budget', () => {
  it('is passed on as what is left of it', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 1 } });
    process.result({ costUsd: 0.4 });
    process.exit();

    await reply(session, 'second');
    const second = await backend.process(1);

    expect([process.launch.budgetLeftUsd, second.launch.budgetLeftUsd]).toEqual([1, 0.6]);
  });

  it('that is used up is answered by us, without a prompt', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 0.01 } });
    process.result({ costUsd: 0.02 });

    await reply(session, 'second');

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.lastResult).toMatchObject({
      errorSubtype: 'max_budget',
      result: 'The budget of this session and its forks, $0.01, is used up; the prompt was not sent.',
      turn: 2,
      sessionTotalCostUsd: 0.02,
    });
    expect([process.prompts.length, backend.processes.length]).toEqual([1, 1]);
  });

  it('can be raised by a reply, on a process that knows of it', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 0.01 } });
    process.result({ costUsd: 0.02 });

    await reply(session, 'second', { maxBudgetUsd: 0.5 });
    const second = await backend.process(1);

    expect(second.launch).toMatchObject({ budgetLeftUsd: 0.48, options: { maxBudgetUsd: 0.5 } });
  });

  it('is not there when none was set', async () => {
    const { process } = await startedScene();

    expect(process.launch.budgetLeftUsd).toBeUndefined();
  });
});

describe('an idle process', () => {
  it('is closed after a while, and the session stays as it is', async () => {
    const { session, process, clock } = await idleScene();

    clock.advance(idleProcessMs);
    await process.stop();

    expect(process.hasExited).toBe(true);
    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('is kept while it has background tasks', async () => {
    const { process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });

    clock.advance(idleProcessMs * 3);

    expect(process.isStopping).toBe(false);
  });

  it('is kept when it is the only place of the session', async () => {
    const { process, clock } = await idleScene({ options: { persistSession: false } });

    clock.advance(idleProcessMs * 3);

    expect(process.isStopping).toBe(false);
  });

  it('is not closed under a turn', async () => {
    const { session, process, clock } = await idleScene();
    clock.advance(idleProcessMs - 1);

    await reply(session, 'second');
    await process.prompt(1);
    clock.advance(idleProcessMs);

    expect(process.isStopping).toBe(false);
  });
});
