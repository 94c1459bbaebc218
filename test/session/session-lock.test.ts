import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { Slots } from '../../src/session/services/slots.js';
import type { Session } from '../../src/session/session.js';
import { deferred } from '../kit/deferred.js';
import { CountedLocks } from '../kit/locks.js';
import {
  createScene,
  idleProcessMs,
  idleScene,
  reply,
  startedScene,
  startSession,
  untilProcessOrEnd,
  untilStatus,
  type SceneOptions,
} from './session-scene.js';

const held = { pid: 4711 };

async function idleWithLocks(options: SceneOptions = {}) {
  const locks = new CountedLocks();
  return { locks, ...(await idleScene({ ...options, locks })) };
}

describe('the lock of a session', () => {
  it('is held from the first prompt until the process exits', async () => {
    const locks = new CountedLocks();
    const { session, process, clock } = await startedScene({ locks });
    expect([...locks.ours]).toEqual([session.id]);

    process.result();
    expect([...locks.ours]).toEqual([session.id]);
    clock.advance(idleProcessMs);

    await expect.poll(() => locks.ours.size).toBe(0);
    expect(process.hasExited).toBe(true);
  });

  it('is taken again for the next prompt', async () => {
    const scene = await idleWithLocks();
    scene.process.exit();
    await expect.poll(() => scene.locks.ours.size).toBe(0);

    await reply(scene.session, 'second');

    expect([...scene.locks.ours]).toEqual([scene.session.id]);
  });

  it('is kept when a new process replaces the old one', async () => {
    const scene = await idleWithLocks();
    scene.process.lingers = true;
    await reply(scene.session, 'second', { maxTurns: 3 });
    const losses: number[] = [];
    scene.locks.ours.delete = (id) => losses.push(1) > 0 && Set.prototype.delete.call(scene.locks.ours, id);

    scene.process.exit();
    await untilProcessOrEnd(scene, 1);

    expect(losses).toEqual([]);
    expect([...scene.locks.ours]).toEqual([scene.session.id]);
  });

  it.each([
    ['cancelled', (scene: Awaited<ReturnType<typeof idleWithLocks>>) => scene.session.cancel()],
    ['shut down', (scene: Awaited<ReturnType<typeof idleWithLocks>>) => scene.session.shutdown()],
    ['evicted', (scene: Awaited<ReturnType<typeof idleWithLocks>>) => scene.session.evict()],
  ])('is released by the time the session is %s', async (_name, end) => {
    const scene = await idleWithLocks();

    await end(scene);

    expect(scene.locks.ours.size).toBe(0);
  });

  it('is released if Claude Code does not start', async () => {
    const locks = new CountedLocks();
    const { session, backend } = createScene({ locks });
    const started = session.start({ text: 'first' }).catch((error: unknown) => error);
    const process = await backend.process(0);
    expect(locks.ours.size).toBe(1);

    process.exit({ neverStarted: true });

    expect(await started).toMatchObject({ code: 'UNAVAILABLE' });
    await expect.poll(() => locks.ours.size).toBe(0);
  });

  it('is released if a turn is stopped before it has a process', async () => {
    const slots = new Slots(1);
    const busy = await idleScene({ slots });
    busy.process.lingers = true;
    const locks = new CountedLocks();
    const scene = createScene({ slots, locks });
    const started = scene.session.start({ text: 'first' }).catch((error: unknown) => error);
    const ended = scene.session.shutdown();

    busy.process.exit();
    await Promise.all([started, ended]);

    expect(scene.backend.processes).toHaveLength(0);
    await expect.poll(() => locks.ours.size).toBe(0);
  });

  it('is released if the budget is spent and no process starts', async () => {
    const scene = await idleWithLocks({ options: { maxBudgetUsd: 0.01 } });
    scene.process.exit();

    await reply(scene.session, 'second');

    expect(scene.session.view.lastResult).toMatchObject({ errorSubtype: 'max_budget' });
    await expect.poll(() => scene.locks.ours.size).toBe(0);
  });

  it('follows when Claude Code changes its id', async () => {
    const cleared = '12345678-0000-4000-8000-000000000000';
    const scene = await idleWithLocks();

    scene.process.signal({ type: 'init', claudeSessionId: cleared, tools: [], permissionMode: 'default' });
    await expect.poll(() => [...scene.locks.ours]).toEqual([cleared]);
    await scene.session.shutdown();

    expect(scene.locks.ours.size).toBe(0);
  });

  it('is not needed for a session that is not persisted', async () => {
    const { locks, session, process } = await idleWithLocks({ options: { persistSession: false } });
    await reply(session, 'second');
    await process.prompt(1);

    expect(locks.ours.size).toBe(0);
  });
});

describe('another server that holds the session', () => {
  it('makes a reply fail with its pid and changes nothing', async () => {
    const { locks, session, process } = await idleWithLocks();
    process.exit();
    await expect.poll(() => locks.ours.size).toBe(0);
    locks.others.set(session.id, held);

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('session_open_elsewhere', { holder: 'server', pid: 4711 }),
    );
    expect([session.view.state.status, session.view.turnNumber, locks.ours.size]).toEqual(['idle', 1, 0]);
  });

  it.each(['queue', 'steer'] as const)(
    'makes each of several concurrent replies fail, even with whenBusy %s, so that none is lost silently',
    async (whenBusy) => {
      const { locks, session, process } = await idleWithLocks();
      process.exit();
      await expect.poll(() => locks.ours.size).toBe(0);
      locks.others.set(session.id, held);

      const outcomes = await Promise.allSettled(
        ['one', 'two', 'three'].map((text) => reply(session, text, { whenBusy })),
      );

      const refused = { status: 'rejected', reason: { code: 'SESSION_BUSY' } };
      expect(outcomes).toMatchObject([refused, refused, refused]);
      expect([session.view.state.status, session.view.queued.length]).toEqual(['idle', 0]);
    },
  );

  it('admits replies in order after it releases the session', async () => {
    const { locks, session, process, backend } = await idleWithLocks();
    process.exit();
    await expect.poll(() => locks.ours.size).toBe(0);
    locks.others.set(session.id, held);
    await reply(session, 'too early', { whenBusy: 'queue' }).catch(() => undefined);
    locks.others.clear();

    await Promise.all(['one', 'two'].map((text) => reply(session, text, { whenBusy: 'queue' })));
    const next = await backend.process(1);
    await next.prompt(0);
    next.result();
    await next.prompt(1);

    expect(next.prompts).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  it('makes an interrupt fail, because the interrupt cannot reach it', async () => {
    const locks = new CountedLocks();
    const { session } = createScene({
      locks,
      seed: { isRestored: true, recordedAt: 1, state: { status: 'idle', outcome: 'interrupted' } },
    });
    locks.others.set(session.id, held);
    const early = session.interrupt();
    await expect(early).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    locks.others.clear();

    expect(await session.interrupt()).toBe(0);
  });

  it('makes a cancel fail', async () => {
    const locks = new CountedLocks();
    const { session } = createScene({
      locks,
      seed: { isRestored: true, state: { status: 'idle', outcome: undefined } },
    });
    locks.others.set(session.id, held);

    await expect(session.cancel()).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect(session.view.state.status).toBe('idle');
  });
});

it.each<[string, (session: Session) => Promise<unknown>]>([
  ['cancelled', (session) => session.cancel()],
  ['changed', (session) => session.configure({ permissionMode: 'plan' })],
])(
  'is locked until it is on record that it was %s, so that no other server begins a turn',
  async (_what, act) => {
    const locks = new CountedLocks();
    const disk = deferred();
    const { session } = createScene({
      locks,
      disk: disk.promise,
      seed: { isRestored: true, state: { status: 'idle', outcome: undefined } },
    });

    const acted = act(session);
    await expect.poll(() => [...locks.ours]).toEqual([session.id]);
    disk.resolve();
    await acted;

    expect([...locks.ours]).toEqual([]);
  },
);

describe('the first process of a session', () => {
  function slowScene(options: SceneOptions = {}) {
    const locks = new CountedLocks();
    const free = deferred();
    locks.free = free.promise;
    const scene = createScene({ ...options, locks });
    const started = scene.session.start({ text: 'first' }).catch((error: unknown) => error);
    return { ...scene, locks, free, started };
  }

  it('starts while the session is locked, and gets its prompt afterwards', async () => {
    const { backend, locks, free, session } = slowScene();

    const process = await backend.process(0);
    expect([process.prompts.length, locks.ours.size]).toEqual([0, 0]);
    free.resolve();
    await process.prompt(0);

    expect([...locks.ours]).toEqual([session.id]);
  });

  it('is stopped without a prompt if the session cannot be locked', async () => {
    const { backend, locks, free, started } = slowScene();
    const process = await backend.process(0);
    locks.failure = new Error('ENOSPC');

    free.resolve();

    expect(await started).toMatchObject({ reason: 'session_not_lockable' });
    expect([process.hasExited, process.prompts]).toEqual([true, []]);
  });

  it('waits for the lock if the session may have a conversation, which another server may continue', async () => {
    const { backend, locks, free, session, started } = slowScene({ past: 'unknown' });
    locks.others.set(session.id, held);

    free.resolve();

    expect(await started).toMatchObject({ reason: 'session_open_elsewhere' });
    expect(backend.processes).toEqual([]);
  });
});

it('a lock that cannot be created makes the reply fail with the reason', async () => {
  const { locks, session, process } = await idleWithLocks();
  process.exit();
  await expect.poll(() => locks.ours.size).toBe(0);
  locks.failure = new Error('ENOSPC');

  await expect(reply(session, 'second')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'the session could not be locked (ENOSPC)',
  });
  locks.failure = undefined;
  await reply(session, 'third');
  await untilStatus(session, 'running');

  expect(session.view.turnNumber).toBe(2);
});

it('two concurrent replies to a session that is only on disk start it once', async () => {
  const locks = new CountedLocks();
  const [one, two] = [createScene({ locks, past: 'unknown' }), createScene({ locks, past: 'unknown' })];
  // Both scenes number their ids from one, so these are the same conversation.
  expect(one.session.id).toBe(two.session.id);

  const [first, second] = await Promise.allSettled([
    startSession(one),
    two.session.start({ text: 'second' }),
  ]);

  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({
    status: 'rejected',
    reason: { code: 'SESSION_BUSY', message: 'another call to this server has this session open' },
  });
});
