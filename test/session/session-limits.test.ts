import { describe, expect, it, vi } from 'vitest';
import { createScene, idleProcessMs, idleScene, reply, startedScene, untilStatus } from './session-scene.js';

describe('the time limit of a turn', () => {
  it('interrupts the turn and is reported as the reason', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(999);
    expect(process.interrupts).toBe(0);
    clock.advance(1);
    expect(process.interrupts).toBe(1);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.lastResult).toMatchObject({
      isError: true,
      errorSubtype: 'time_limit',
      result: 'The turn was stopped because it reached its time limit.',
    });
  });

  it('pauses while a request is open', async () => {
    const { process, clock, broker, session } = await startedScene({ options: { timeoutMs: 1_000 } });
    clock.advance(900);
    void process.ask();

    clock.advance(30_000);
    expect(process.interrupts).toBe(0);
    broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    clock.advance(99);
    expect(process.interrupts).toBe(0);
    clock.advance(1);

    expect(process.interrupts).toBe(1);
  });

  it('pauses until the last of several requests is answered', async () => {
    const { process, clock, broker, session } = await startedScene({ options: { timeoutMs: 1_000 } });
    void process.ask();
    void process.ask();

    broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
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
      broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
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

    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
  });

  it('does not take precedence over an earlier interrupt', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    const interrupted = session.interrupt();
    clock.advance(1_000);
    process.result({ outcome: 'interrupted' });
    await interrupted;

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
  });

  it('is not reported for a turn that completes anyway', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(1_000);
    process.result();

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('keeps the queue, but runs none of it', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });
    await reply(session, 'second', { whenBusy: 'queue' });

    clock.advance(1_000);
    process.result({ outcome: 'interrupted' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect([session.view.queued, session.view.kept]).toEqual([[], ['second']]);
  });

  it('can be set for a single reply', async () => {
    const { session, process, clock } = await idleScene();
    await reply(session, 'second', { timeoutMs: 500 });
    await process.prompt(1);

    clock.advance(500);
    process.result({ outcome: 'interrupted' });
    await reply(session, 'third');
    await process.prompt(2);
    clock.advance(60_000);

    expect([session.view.turnNumber, process.interrupts]).toEqual([3, 1]);
  });
});

describe('the time that Claude Code takes to start', () => {
  it('does not count against the time limit of the turn', async () => {
    const { session, backend, clock } = createScene({ options: { timeoutMs: 1_000 } });
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);

    clock.advance(9_000);
    process.init();
    await started;
    clock.advance(999);
    const before = process.interrupts;
    clock.advance(1);

    expect([before, process.interrupts]).toEqual([0, 1]);
  });

  it('does not count when the live process is replaced before the turn', async () => {
    const { session, process, backend, clock } = await idleScene({ options: { timeoutMs: 1_000 } });
    await reply(session, 'second', { maxTurns: 7 });
    const next = await backend.process(1);
    await next.prompt(0);

    clock.advance(9_000);
    next.init();
    await vi.waitFor(() => expect(clock.pendingTimers).toBeGreaterThan(0));
    clock.advance(999);

    expect([process.interrupts, next.interrupts]).toEqual([0, 0]);
  });

  it('counts anew for the process that takes over from one that has exited unnoticed', async () => {
    const { session, process, backend, clock } = await idleScene({ options: { timeoutMs: 1_000 } });
    await reply(session, 'second');
    await process.prompt(1);
    clock.advance(900);
    process.exit();
    const next = await backend.process(1);
    await next.prompt(0);

    next.init();
    await vi.waitFor(() => expect(session.view.isLive).toBe(true));
    clock.advance(999);
    const before = next.interrupts;
    clock.advance(1);

    expect([before, next.interrupts]).toEqual([0, 1]);
  });

  it.each([500, 20_000])('is an error of the start when it never ends: longest run of %i ms', async (ms) => {
    const { session, backend, clock } = createScene({
      options: { timeoutMs: 1_000, sessionInitTimeoutMs: 10_000 },
      longestRunMs: ms,
    });
    const started = session.start({ text: 'first' });
    const process = await backend.process(0);
    await process.prompt(0);

    clock.advance(10_000);

    await expect(started).rejects.toMatchObject({ reason: 'init_timeout' });
    expect(process.interrupts).toBe(0);
  });
});

describe('the longest run time', () => {
  it('ends a turn that waits for a person, and withdraws the request', async () => {
    const { session, process, clock, longestRunMs } = await startedScene({
      options: { permissionRequestTimeoutMs: 0 },
    });
    const answer = process.ask();

    clock.advance(longestRunMs);
    process.result({ outcome: 'interrupted' });

    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
    expect(session.view.log.read(0).events).toMatchObject([
      { type: 'input_request' },
      { type: 'input_resolved', answeredBy: 'timeout' },
      { type: 'result' },
    ]);
  });
});

describe('a process that ignores the interrupt', () => {
  it('is stopped after the grace period, and the turn counts as interrupted', async () => {
    const { session, process, clock } = await startedScene();

    const interrupted = session.interrupt();
    clock.advance(4_999);
    expect(process.isStopping).toBe(false);
    clock.advance(1);
    await interrupted;

    expect(process.hasExited).toBe(true);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(session.view.lastResult).toMatchObject({ result: 'Interrupted.' });
  });

  it('is stopped after a time limit too', async () => {
    const { session, process, clock } = await startedScene({ options: { timeoutMs: 1_000 } });

    clock.advance(6_000);
    await untilStatus(session, 'error');

    expect(process.hasExited).toBe(true);
    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'time_limit' });
  });

  it('is not stopped if the result arrives in time', async () => {
    const { session, process, clock } = await startedScene();

    const interrupted = session.interrupt();
    process.result({ outcome: 'interrupted' });
    await interrupted;
    clock.advance(5_000);

    expect(process.isStopping).toBe(false);
  });
});

describe('the budget', () => {
  it('is passed to the process as the remaining amount', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 1 } });
    process.result({ costUsd: 0.4 });
    process.exit();

    await reply(session, 'second');
    const second = await backend.process(1);

    expect([process.launch.budgetLeftUsd, second.launch.budgetLeftUsd]).toEqual([1, 0.6]);
  });

  it('that is spent ends the turn without sending the prompt', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 0.01 } });
    process.result({ costUsd: 0.02 });

    await reply(session, 'second');

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.lastResult).toMatchObject({
      errorSubtype: 'max_budget',
      result: 'The budget of this session and its forks, $0.01, is spent, so the prompt was not sent.',
      turn: 2,
      sessionTotalCostUsd: 0.02,
    });
    expect([process.prompts.length, backend.processes.length]).toEqual([1, 1]);
  });

  it('can be raised by a reply, in a new process', async () => {
    const { session, process, backend } = await startedScene({ options: { maxBudgetUsd: 0.01 } });
    process.result({ costUsd: 0.02 });

    await reply(session, 'second', { maxBudgetUsd: 0.5 });
    const second = await backend.process(1);

    expect(second.launch).toMatchObject({ budgetLeftUsd: 0.48, options: { maxBudgetUsd: 0.5 } });
  });

  it('is undefined if none was set', async () => {
    const { process } = await startedScene();

    expect(process.launch.budgetLeftUsd).toBeUndefined();
  });
});

describe('an idle process', () => {
  it('is closed after a while without changing the session', async () => {
    const { session, process, clock } = await idleScene();

    clock.advance(idleProcessMs);
    await process.stop();

    expect(process.hasExited).toBe(true);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('stays open while it has background tasks', async () => {
    const { process, clock } = await idleScene();
    process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm run dev' }] });

    clock.advance(idleProcessMs * 3);

    expect(process.isStopping).toBe(false);
  });

  it('stays open if the session is not persisted', async () => {
    const { process, clock } = await idleScene({ options: { persistSession: false } });

    clock.advance(idleProcessMs * 3);

    expect(process.isStopping).toBe(false);
  });

  it('is not closed during a turn', async () => {
    const { session, process, clock } = await idleScene();
    clock.advance(idleProcessMs - 1);

    await reply(session, 'second');
    await process.prompt(1);
    clock.advance(idleProcessMs);

    expect(process.isStopping).toBe(false);
  });
});
