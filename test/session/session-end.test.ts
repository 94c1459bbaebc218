import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { slowDiskMs } from '../../src/session/services/within.js';
import { deferred } from '../kit/deferred.js';
import { until } from '../kit/until.js';
import { createScene, idleScene, reply, startedScene, untilStatus } from './session-scene.js';

describe('an interrupt', () => {
  it('stops the turn, withdraws open requests, and leaves the session usable', async () => {
    const { session, process } = await startedScene();
    const answer = process.ask();

    const interrupted = session.interrupt();
    expect(process.interrupts).toBe(1);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    expect(await interrupted).toBe(0);
    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(session.view.log.read(0).events).toMatchObject([
      { type: 'input_request' },
      { type: 'input_resolved', answeredBy: 'interrupt' },
      { type: 'result', outcome: 'interrupted' },
    ]);
    await reply(session, 'second');
    expect(await process.prompt(1)).toMatchObject({ text: 'second' });
  });

  it('changes nothing if no turn is running', async () => {
    const { session, process } = await idleScene();

    expect(await session.interrupt()).toBe(0);

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(process.interrupts).toBe(0);
  });

  it('ends a turn whose process is still starting, and the turn can run again', async () => {
    const scene = await idleScene();
    const { session, backend } = scene;
    await session.closeIfIdle();
    await reply(session, 'second');
    const process = await backend.process(1);
    await process.prompt(0);

    await session.shutdown();

    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'server_restarted', turn: 2 });
    expect(session.view.cutTurn).toEqual({ prompts: ['second'] });
  });

  it('ends a turn whose process has not been started yet', async () => {
    const slots = new Slots(1);
    const { session, backend, clock } = createScene({ slots });

    const started = session.start({ text: 'first' });
    await session.interrupt();
    await started;

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(backend.processes).toEqual([]);
    clock.advance(10 ** 9);
    expect(session.view.state.status).toBe('idle');
    await startedScene({ slots });
  });

  it('counts as an interrupt even if the result is an error', async () => {
    const { session, process } = await startedScene();

    const interrupted = session.interrupt();
    process.result({ outcome: 'failed', errorSubtype: 'other' });
    await interrupted;

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(session.view.lastResult).not.toHaveProperty('errorSubtype');
  });
});

describe('a cancel', () => {
  it('stops the process, withdraws open requests and is final', async () => {
    const { session, process, clock, changes } = await startedScene();
    const answer = process.ask();
    const changesBefore = changes();

    await session.cancel();

    expect(process.hasExited).toBe(true);
    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.state.status).toBe('cancelled');
    expect(session.view.lastResult).toMatchObject({ outcome: 'interrupted', result: 'Cancelled.' });
    expect(session.view.log.read(0).events).toMatchObject([
      { type: 'input_request' },
      { type: 'input_resolved', answeredBy: 'cancel' },
      { type: 'result' },
    ]);
    expect(changes()).toBeGreaterThan(changesBefore);
    expect(clock.pendingTimers).toBe(0);
  });

  it('makes every later reply fail', async () => {
    const { session } = await idleScene();

    await session.cancel();

    for (const whenBusy of ['reject', 'queue', 'steer'] as const) {
      await expect(reply(session, 'second', { whenBusy })).rejects.toEqual(
        new AppError('session_cancelled', { sessionId: session.id }),
      );
    }
  });

  it('wins against a reply that is still being checked', async () => {
    const { session, process } = await idleScene();

    const replied = reply(session, 'second');
    await session.cancel();

    await expect(replied).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(process.prompts).toHaveLength(1);
    expect(session.view.state.status).toBe('cancelled');
  });

  it('denies requests of the process while it exits', async () => {
    const { session, process } = await startedScene();
    process.lingers = true;

    const cancelled = session.cancel();
    const answer = await process.ask();
    process.exit();
    await cancelled;

    expect(answer).toEqual({ decision: 'deny', message: 'The session was cancelled.', interrupt: true });
    expect(session.view.openInputs).toEqual([]);
  });

  it('takes effect once', async () => {
    const { session } = await idleScene();
    await session.cancel();
    const before = session.view.log.head;

    await session.cancel();

    expect(session.view.log.head).toBe(before);
  });

  it('is not undone by later messages of the process', async () => {
    const { session, process, clock } = await startedScene();
    process.lingers = true;

    const cancelled = session.cancel();
    process.result();
    process.activity('running');
    process.unsolicitedResult();
    process.exit();
    await cancelled;

    expect(session.view.state.status).toBe('cancelled');
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('a shutdown', () => {
  it('stops the process and leaves the session resumable', async () => {
    const { session, process } = await startedScene();
    const answer = process.ask();

    await session.shutdown();

    expect(process.hasExited).toBe(true);
    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.lastResult).toMatchObject({ result: 'The server shut down before this turn ended.' });
  });

  it('ends a turn whose process has not been started yet', async () => {
    const { session, backend, clock } = createScene();
    const started = session.start({ text: 'first' });

    await session.shutdown();
    await started;

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect([backend.processes.length, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('does not change an idle session', async () => {
    const { session, process } = await idleScene();

    await session.shutdown();

    expect(process.hasExited).toBe(true);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('of a running session leaves no timer behind', async () => {
    const { session, clock } = await startedScene();

    await session.shutdown();

    expect(clock.pendingTimers).toBe(0);
  });
});

describe('a session that is not persisted', () => {
  it('ends with its process', async () => {
    const { session, process } = await idleScene({ options: { persistSession: false } });

    process.exit();

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('session_not_kept', { sessionId: session.id }),
    );
  });

  it('continues as long as its process lives', async () => {
    const { session, process } = await idleScene({ options: { persistSession: false } });

    await reply(session, 'second');

    expect(await process.prompt(1)).toMatchObject({ text: 'second' });
    expect(session.canEvict()).toBe(false);
  });
});

it('a disk that never answers does not hold up a turn without a budget, but refuses a cancel', async () => {
  const scene = createScene({ disk: new Promise(() => undefined) });
  const { session, backend, clock } = scene;
  const started = session.start({ text: 'first' });

  clock.advance(slowDiskMs);
  const process = await backend.process(0);
  await process.prompt(0);
  process.init(['Bash']);
  await started;
  let refusal: unknown;
  session.cancel().catch((error: unknown) => (refusal = error));
  await until('the cancel is refused', () => {
    clock.advance(slowDiskMs);
    return refusal;
  });

  expect(refusal).toMatchObject({ reason: 'not_saved' });
  expect(session.view.state.status).toBe('cancelled');
});

describe('a session that is not persisted and would need another process', () => {
  const options = { persistSession: false } as const;

  it('keeps its process if options are the same in another order', async () => {
    const { session, process } = await idleScene({ options });
    await session.configure({ model: 'claude-haiku-4-5' });
    const { model, ...others } = session.view.options;

    await reply(session, 'more', { options: { model, ...others } });

    expect(await process.prompt(1)).toMatchObject({ text: 'more' });
  });

  it.each([
    ['its options change', { maxTurns: 3 }],
    ['it continues from an earlier message', { resumeAt: 'a message' }],
  ])('refuses a reply, because it would know nothing of the conversation: %s', async (_when, changes) => {
    const { session, backend } = await idleScene({ options });

    await expect(reply(session, 'more', changes)).rejects.toMatchObject({ reason: 'process_fixed' });
    await expect(reply(session, 'more', { whenBusy: 'queue', ...changes })).rejects.toMatchObject({
      reason: 'process_fixed',
    });

    expect([backend.processes.length, session.view.turnNumber]).toEqual([1, 1]);
  });

  it('fails the turn if its share of the budget has become too small for the process', async () => {
    let dayLeftUsd = 10;
    const { session, backend, process } = await idleScene({
      options,
      get dayLeftUsd() {
        return dayLeftUsd;
      },
    });
    dayLeftUsd = 6;

    await reply(session, 'more');
    await untilStatus(session, 'error');
    dayLeftUsd = 10;
    await reply(session, 'again');
    await process.prompt(1);

    expect([backend.processes.length, session.view.lastResult?.refusal?.reason]).toEqual([
      1,
      'process_fixed',
    ]);
  });

  it('goes on in its process until its share is spent, although it could have more by now', async () => {
    let dayLeftUsd = 10;
    const { session, backend, process } = await idleScene({
      options,
      get dayLeftUsd() {
        return dayLeftUsd;
      },
    });
    dayLeftUsd = 30;

    await reply(session, 'more');
    await process.prompt(1);
    process.result({ costUsd: 5 });
    await reply(session, 'again');
    await untilStatus(session, 'error');

    expect([backend.processes.length, session.view.lastResult?.refusal?.reason]).toEqual([
      1,
      'process_fixed',
    ]);
  });

  it('fails the turn if its process exits before it gets the prompt', async () => {
    const written = deferred();
    let disk = Promise.resolve();
    const { session, backend, process } = await idleScene({
      options,
      get disk() {
        return disk;
      },
    });
    disk = written.promise;

    const replied = reply(session, 'more');
    await untilStatus(session, 'running');
    process.exit();
    written.resolve();
    await replied;
    await untilStatus(session, 'error');

    expect([backend.processes.length, session.view.lastResult?.refusal?.reason]).toEqual([
      1,
      'session_not_kept',
    ]);
  });
});

it('a start that was stopped while it waited leaves its slot to the next one', async () => {
  const permits = new Permits(1);
  const release = await permits.acquire();
  const slots = new Slots(1);
  const { session, backend } = createScene({ permits, slots });
  const started = session.start({ text: 'first' });

  await session.halt();
  await reply(session, 'second');
  release();
  await started;
  await (await backend.process(0)).prompt(0);

  expect(slots.hasRoom).toBe(false);
});
