import { describe, expect, it } from 'vitest';
import type { RequestedOptions } from '../../src/core/options/index.js';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { Spares } from '../../src/session/spares/spares.js';
import type { Session } from '../../src/session/session.js';
import { plainCaller } from '../kit/callers.js';
import { FakeBackend, type FakeProcess } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { createManagerScene } from './manager-scene.js';

const idleMs = 300_000;
const claimMs = 4_000;
const promiseMs = 10_000;
const settleMs = 300;
const permitMs = 2_000;

interface SpareSceneOptions {
  readonly count?: number;
  readonly slots?: Slots;
  readonly permits?: Permits;
}

/** A server whose operator wants processes to wait for new sessions. */
async function spareScene(options: SpareSceneOptions = {}) {
  const { count = 1, slots = new Slots(10), permits = new Permits(4) } = options;
  const backend = new FakeBackend();
  const clock = new FakeClock();
  const configuration = { mark: 'as it was' };
  const warnings: string[] = [];
  let last = 0;
  const spares = new Spares({
    count,
    idleMs,
    backend,
    slots,
    permits,
    clock,
    ids: {
      uuid: () => `aaaaaaaa-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`,
      short: () => 'short',
    },
    logger: { log: (level, message) => level === 'warn' && warnings.push(message) },
    readMark: async () => configuration.mark,
  });
  const { manager, project } = await createManagerScene({ backend, slots, permits, clock, spares });
  return { manager, project, backend, clock, slots, configuration, warnings };
}

type SpareScene = Awaited<ReturnType<typeof spareScene>>;

/** A session that works on its prompt in the process at this index. */
async function startAt(
  { manager, backend }: SpareScene,
  index: number,
  options: RequestedOptions = {},
  caller = plainCaller,
): Promise<{ session: Session; process: FakeProcess }> {
  const started = manager.start('do it', options, caller);
  const process = await backend.process(index);
  await process.prompt(0);
  process.init();
  return { session: await started, process };
}

/** The process that begins to wait when the latest session has had the CPU for a moment. */
async function spareAt({ backend, clock }: SpareScene, index: number): Promise<FakeProcess> {
  await clock.pass(settleMs);
  return backend.process(index);
}

/** A server with a live session, and a process that waits for the next. */
async function waitingScene(options?: SpareSceneOptions) {
  const scene = await spareScene(options);
  const first = await startAt(scene, 0);
  const spare = await spareAt(scene, 1);
  spare.park();
  await scene.clock.expect(idleMs);
  return { ...scene, first, spare };
}

describe('the session after the first', () => {
  it('takes the process that waits, with its id and its slot, and another one starts to wait', async () => {
    const scene = await waitingScene({ slots: new Slots(3) });

    const second = await startAt(scene, 1);
    const next = await spareAt(scene, 2);

    expect(second.process).toBe(scene.spare);
    expect(second.process.claims).toBe(1);
    expect(second.session.view).toMatchObject({
      id: scene.spare.launch.claudeSessionId,
      claudeSessionId: scene.spare.launch.claudeSessionId,
      state: { status: 'running' },
    });
    expect({ ...next.launch, claudeSessionId: '' }).toEqual({
      ...scene.first.process.launch,
      claudeSessionId: '',
    });
    expect(next.prompts).toEqual([]);
  });

  it('ends like any other', async () => {
    const scene = await waitingScene();
    const { session, process } = await startAt(scene, 1);

    process.event({ type: 'text', text: 'Hello.' });
    process.result({ result: 'Made.' });

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'Made.' });
  });

  it.each<[string, RequestedOptions]>([
    ['a model', { model: 'haiku' }],
    ['a title', { title: 'Mine' }],
    ['another mode', { permissionMode: 'plan' }],
    ['tools that need no approval', { allowedTools: ['Read'] }],
  ])('gets a process of its own if its caller chooses %s', async (_what, options) => {
    const scene = await waitingScene();

    const second = await startAt(scene, 2, options);

    expect(second.session.id).not.toBe(scene.spare.launch.claudeSessionId);
    expect([scene.spare.claims, scene.spare.hasExited]).toEqual([0, false]);
  });

  it('gets a process of its own if it belongs to a trace, which the process does not know', async () => {
    const scene = await waitingScene();
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

    const second = await startAt(scene, 2, {}, { ...plainCaller, trace });

    expect(second.process.launch).toMatchObject({
      claudeSessionId: scene.spare.launch.claudeSessionId,
      trace,
    });
    expect([scene.spare.claims, scene.spare.hasExited]).toEqual([0, true]);
  });

  it('gets a process of its own if settings or sign-in have changed since the other one started', async () => {
    const scene = await waitingScene();
    scene.configuration.mark = 'changed';

    const second = await startAt(scene, 2);

    expect(second.process.launch.claudeSessionId).toBe(scene.spare.launch.claudeSessionId);
    expect([scene.spare.claims, scene.spare.hasExited]).toEqual([0, true]);
  });

  it('gets a process of its own when the other one has exited completely', async () => {
    const scene = await waitingScene();
    scene.configuration.mark = 'changed';
    scene.spare.lingers = true;
    const started = scene.manager.start('do it', {}, plainCaller);
    await scene.spare.stopped;
    const before = scene.backend.processes.length;

    scene.spare.exit();
    const second = await scene.backend.process(2);
    await second.prompt(0);
    second.init();
    await started;

    expect(before).toBe(2);
  });
});

describe('a process that waits', () => {
  it('does not start before the first session, nor after one with options of its own', async () => {
    const scene = await spareScene();

    await startAt(scene, 0, { model: 'haiku' });
    await startAt(scene, 1, { title: 'Mine' });
    await startAt(scene, 2);
    const spare = await spareAt(scene, 3);

    expect(scene.backend.processes.map(({ prompts }) => prompts.length)).toEqual([1, 1, 1, 0]);
    expect(spare.launch.options.model).toBeUndefined();
  });

  it('is never that of another principal', async () => {
    const service = new Slots(10);
    const alice = await waitingScene({ slots: new Slots(5, service) });
    const bob = await spareScene({ slots: new Slots(5, service) });

    const { process } = await startAt(bob, 0);

    expect(process).not.toBe(alice.spare);
    expect([alice.spare.claims, alice.spare.hasExited]).toEqual([0, false]);
  });

  it('is replaced if the latest session works in another folder', async () => {
    const scene = await waitingScene();
    const { root } = await createManagerScene();

    await startAt(scene, 2, { cwd: root });
    const next = await spareAt(scene, 3);

    expect(scene.spare.hasExited).toBe(true);
    expect(next.launch.options.cwd).toBe(root);
  });

  it('has a slot, which it gives up for a session that needs it', async () => {
    const scene = await waitingScene({ slots: new Slots(2) });

    const second = await startAt(scene, 2, { model: 'haiku' });

    expect(scene.spare.hasExited).toBe(true);
    expect(second.session.view.state.status).toBe('running');
    expect(scene.backend.processes).toHaveLength(3);
  });

  it('does not start if that takes the last slot from a session', async () => {
    const scene = await spareScene({ slots: new Slots(1) });

    const { process } = await startAt(scene, 0);
    process.result();

    expect(scene.backend.processes).toEqual([process]);
    expect(process.hasExited).toBe(false);
  });

  it('is ended after a while', async () => {
    const scene = await waitingScene();

    await scene.clock.pass(idleMs);
    await scene.spare.gone;

    expect(scene.backend.processes.filter(({ hasExited }) => !hasExited)).toEqual([scene.first.process]);
  });

  it('ends with the server', async () => {
    const scene = await waitingScene();

    await scene.manager.shutdown();

    expect(scene.backend.processes.map(({ hasExited }) => hasExited)).toEqual([true, true]);
    expect(scene.slots.hasRoom).toBe(true);
  });

  it('does not count as a session of the service', async () => {
    const service = new Slots(10);
    const { first } = await waitingScene({ slots: new Slots(5, service) });

    first.process.exit();

    expect(service.isInUse).toBe(false);
  });

  it('counts twice if the operator wants two', async () => {
    const scene = await waitingScene({ count: 2 });
    const other = await scene.backend.process(2);
    other.park();
    await scene.clock.expect(idleMs);

    const second = await startAt(scene, 1);
    const third = await startAt(scene, 2);

    expect([second.process, third.process]).toEqual([scene.spare, other]);
  });
});

describe('a process that fails while it waits', () => {
  it('is not used if it was killed', async () => {
    const scene = await waitingScene();
    scene.spare.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    const second = await startAt(scene, 2);

    expect(second.session.id).not.toBe(scene.spare.launch.claudeSessionId);
    expect(second.session.view.state.status).toBe('running');
  });

  it('leaves its prompt to a new process if it is killed before it takes it', async () => {
    const scene = await waitingScene();
    const started = scene.manager.start('do it', {}, plainCaller);
    await scene.spare.prompt(0);

    scene.spare.exit({ reason: 'Claude Code was terminated by SIGKILL' });
    const second = await scene.backend.process(2);
    const prompt = await second.prompt(0);
    second.init();
    const session = await started;
    second.result();

    expect(prompt).toEqual(scene.spare.prompts[0]);
    expect(second.launch.claudeSessionId).toBe(scene.spare.launch.claudeSessionId);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('is ended if Claude Code does not let it serve the session, and after two there are no more', async () => {
    const scene = await waitingScene();
    const refuse = async (): Promise<void> => {
      throw new Error('project_settings_not_claimable');
    };
    scene.spare.claim = refuse;

    await startAt(scene, 2);
    const next = await spareAt(scene, 3);
    next.claim = refuse;
    next.park();
    await scene.clock.expect(idleMs);
    await startAt(scene, 4);
    await startAt(scene, 5);

    expect([scene.spare.hasExited, next.hasExited]).toEqual([true, true]);
    expect(scene.backend.processes.map(({ prompts }) => prompts.length)).toEqual([1, 0, 1, 0, 1, 1]);
  });

  it('is ended if it does not answer the session', async () => {
    const scene = await waitingScene();
    scene.spare.claim = () => new Promise(() => undefined);
    const started = scene.manager.start('do it', {}, plainCaller);

    await scene.clock.pass(claimMs);
    const second = await scene.backend.process(2);
    await second.prompt(0);
    second.init();

    expect((await started).view.state.status).toBe('running');
    expect(scene.spare.hasExited).toBe(true);
  });

  it('lets a session start beside it if it hangs while it starts', async () => {
    const scene = await spareScene({ permits: new Permits(1) });
    await startAt(scene, 0);
    await spareAt(scene, 1);

    const second = scene.manager.start('do it', { model: 'haiku' }, plainCaller);
    await scene.clock.pass(permitMs);
    const process = await scene.backend.process(2);
    process.init();

    expect((await second).view.state.status).toBe('running');
  });

  it('is ended if it does not start, and after two there are no more', async () => {
    const scene = await spareScene();
    await startAt(scene, 0);
    await scene.clock.pass(settleMs);

    for (const index of [1, 2]) {
      await scene.backend.process(index);
      await scene.clock.pass(10_000);
    }
    await startAt(scene, 3);

    expect(scene.backend.processes.map(({ hasExited }) => hasExited)).toEqual([false, true, true, false]);
    expect(scene.warnings).toEqual(Array(2).fill('a spare process could not be started'));
  });

  it('is ended if its session does not begin', async () => {
    const scene = await waitingScene();
    const prepare = (): never => {
      throw new Error('The listener failed');
    };
    const failing = scene.manager.start('do it', {}, plainCaller, { prepare });
    await expect(failing).rejects.toThrow('The listener failed');

    await scene.clock.pass(promiseMs);
    await scene.spare.gone;

    expect(scene.spare.claims).toBe(0);
  });
});
