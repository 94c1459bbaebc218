import { describe, expect, it } from 'vitest';
import { waitForNews, type WaitOptions, type WaitTarget } from '../../src/sessions/waits.js';
import { idleScene, reply, startedScene, type Scene } from '../session/session-scene.js';

const anyOf = (scene: Pick<Scene, 'clock'>, options: Partial<WaitOptions> = {}): WaitOptions => ({
  mode: 'any',
  ms: 30_000,
  signal: new AbortController().signal,
  clock: scene.clock,
  isHandled: () => false,
  isEnough: () => false,
  ...options,
});

/** How long the wait takes. */
async function elapsedMs(targets: readonly WaitTarget[], options: WaitOptions): Promise<number> {
  const startedAt = options.clock.now();
  await waitForNews(targets, options);
  return options.clock.now() - startedAt;
}

describe('a wait without a cursor', () => {
  it('ends at once if the session is not running', async () => {
    const scene = await idleScene();

    const waitedMs = await elapsedMs([{ session: scene.session, cursor: undefined }], anyOf(scene));

    expect(waitedMs).toBe(0);
  });

  it('ends with the result', async () => {
    const scene = await startedScene();
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.process.event({ type: 'text', text: 'not yet' });
    scene.clock.advance(2_500);
    scene.process.result();

    expect(await waited).toBe(2_500);
  });

  it('ends when a request needs an answer', async () => {
    const scene = await startedScene();
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.clock.advance(100);
    void scene.process.ask();

    expect(await waited).toBe(100);
  });

  it('ends when the session is cancelled', async () => {
    const scene = await startedScene();
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], anyOf(scene));

    await scene.session.cancel();

    expect(await waited).toBe(0);
  });
});

describe('a wait with a cursor', () => {
  it('ends at once if a pinned event follows it', async () => {
    const scene = await idleScene();

    expect(await elapsedMs([{ session: scene.session, cursor: 0 }], anyOf(scene))).toBe(0);
  });

  it('continues while the caller has already seen the open request', async () => {
    const scene = await startedScene();
    void scene.process.ask();
    const cursor = scene.session.view.log.head;
    const waited = elapsedMs([{ session: scene.session, cursor }], anyOf(scene));

    scene.clock.advance(1_000);
    scene.broker.withdrawAll(scene.session.id, 'caller');

    expect(await waited).toBe(1_000);
  });

  it('ends at once if nothing more can happen', async () => {
    const scene = await idleScene();
    const cursor = scene.session.view.log.head;

    expect(await elapsedMs([{ session: scene.session, cursor }], anyOf(scene))).toBe(0);
  });

  it('continues until the turn that a background task causes', async () => {
    const scene = await idleScene();
    scene.process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm test' }] });
    const cursor = scene.session.view.log.head;
    const waited = elapsedMs([{ session: scene.session, cursor }], anyOf(scene));

    scene.clock.advance(500);
    scene.process.signal({ type: 'tasks', tasks: [] });
    scene.clock.advance(500);
    scene.process.unsolicitedResult();

    expect(await waited).toBe(1_000);
  });
});

describe('a wait for several sessions', () => {
  it('ends with news from any of them', async () => {
    const [first, second] = [await startedScene(), await startedScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: session.view.log.head }));
    const waited = elapsedMs(targets, anyOf(first));

    first.clock.advance(700);
    second.process.result();

    expect(await waited).toBe(700);
  });

  it('ends when all have finished or need an answer', async () => {
    const [first, second] = [await startedScene(), await startedScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: undefined }));
    const waited = elapsedMs(targets, anyOf(first, { mode: 'all' }));

    second.process.result();
    first.clock.advance(700);
    void first.process.ask();

    expect(await waited).toBe(700);
  });

  it('continues in mode "all" while one of them runs', async () => {
    const [first, second] = [await startedScene(), await idleScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: undefined }));
    const waited = elapsedMs(targets, anyOf(first, { mode: 'all' }));

    await reply(second.session, 'second');
    first.process.result();
    first.clock.advance(700);
    await second.process.prompt(1);
    second.process.result();

    expect(await waited).toBe(700);
  });
});

describe('a wait', () => {
  it('lasts no longer than requested', async () => {
    const scene = await startedScene();
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.clock.advance(30_000);

    expect(await waited).toBe(30_000);
  });

  it('ends at once if the time is 0 or the caller has disconnected', async () => {
    const scene = await startedScene();
    const targets = [{ session: scene.session, cursor: undefined }];

    expect(await elapsedMs(targets, anyOf(scene, { ms: 0 }))).toBe(0);
    expect(await elapsedMs(targets, anyOf(scene, { signal: AbortSignal.abort() }))).toBe(0);
  });

  it('ends when the caller disconnects', async () => {
    const scene = await startedScene();
    const controller = new AbortController();
    const options = anyOf(scene, { signal: controller.signal });
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], options);

    scene.clock.advance(1_000);
    controller.abort();

    expect(await waited).toBe(1_000);
  });

  it('ticks every five seconds', async () => {
    const scene = await startedScene();
    let ticks = 0;
    const options = anyOf(scene, { onTick: () => (ticks += 1) });
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], options);

    scene.clock.advance(14_999);
    scene.process.result();
    await waited;
    scene.clock.advance(60_000);

    expect(ticks).toBe(2);
  });

  it('leaves no timer behind', async () => {
    const scene = await startedScene();
    const timersBefore = scene.clock.pendingTimers;
    const options = anyOf(scene, { ms: 12_000, onTick: () => undefined });
    const waited = elapsedMs([{ session: scene.session, cursor: undefined }], options);

    scene.clock.advance(12_000);
    await waited;

    expect(scene.clock.pendingTimers).toBe(timersBefore);
  });
});

describe('a request that a person handles', () => {
  /** A session with an open request; the test decides whether a person handles it. */
  const handledScene = async () => {
    const scene = await startedScene();
    const handled = new Set<string>();
    void scene.process.ask();
    const requestId = scene.session.view.openInputs[0]?.requestId ?? '';
    handled.add(requestId);
    const options = anyOf(scene, { isHandled: (id) => handled.has(id) });
    return { ...scene, handled, requestId, options };
  };

  it('does not end a wait, and neither does its answer, but the result does', async () => {
    const { session, process, broker, clock, requestId, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: undefined }], options);

    clock.advance(1_000);
    broker.answer(requestId, { decision: 'allow' }, 'elicitation');
    clock.advance(1_000);
    process.result();

    expect(await waited).toBe(2_000);
  });

  it('is not news after a cursor, and neither is its answer', async () => {
    const { session, process, broker, clock, requestId, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: 0 }], options);

    clock.advance(1_000);
    broker.answer(requestId, { decision: 'allow' }, 'elicitation');
    clock.advance(1_000);
    process.result();

    expect(await waited).toBe(2_000);
  });

  it('does not end a wait in mode "all"', async () => {
    const { session, process, broker, clock, requestId, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: undefined }], { ...options, mode: 'all' });

    clock.advance(1_000);
    broker.answer(requestId, { decision: 'allow' }, 'elicitation');
    clock.advance(1_000);
    process.result();

    expect(await waited).toBe(2_000);
  });

  it('ends the wait if nobody answers and the session reports it', async () => {
    const { session, clock, handled, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: undefined }], options);

    clock.advance(1_000);
    handled.clear();
    session.note('Nobody answered the form about Bash');

    expect(await waited).toBe(1_000);
  });

  it('does not hide another request that nobody handles', async () => {
    const { session, process, clock, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: undefined }], options);

    clock.advance(1_000);
    void process.ask({ toolUseId: 'toolu_2' });

    expect(await waited).toBe(1_000);
  });

  it('does not hide another request that came before it', async () => {
    const scene = await startedScene();
    void scene.process.ask();
    void scene.process.ask({ toolUseId: 'toolu_2' });
    const second = scene.session.view.openInputs[1]?.requestId;
    const options = anyOf(scene, { isHandled: (id) => id === second });

    expect(await elapsedMs([{ session: scene.session, cursor: undefined }], options)).toBe(0);
    expect(await elapsedMs([{ session: scene.session, cursor: 0 }], options)).toBe(0);
  });

  it('does not extend the wait', async () => {
    const { session, clock, options } = await handledScene();
    const waited = elapsedMs([{ session, cursor: undefined }], options);

    clock.advance(30_000);

    expect(await waited).toBe(30_000);
  });
});

describe('the isEnough condition', () => {
  it('ends a wait before it begins', async () => {
    const scene = await startedScene();
    const targets = [{ session: scene.session, cursor: scene.session.view.log.head }];
    const isEnough = (): boolean => true;

    expect(await elapsedMs(targets, anyOf(scene, { isEnough }))).toBe(0);
    expect(await elapsedMs(targets, anyOf(scene, { isEnough, mode: 'all' }))).toBe(0);
  });

  it('ends a wait at the next event, even if that is not news', async () => {
    const scene = await startedScene();
    let isEnough = false;
    const targets = [{ session: scene.session, cursor: scene.session.view.log.head }];
    const waited = elapsedMs(targets, anyOf(scene, { isEnough: () => isEnough }));

    scene.clock.advance(1_000);
    scene.process.event({ type: 'text', text: 'not yet' });
    scene.clock.advance(1_000);
    isEnough = true;
    scene.process.event({ type: 'text', text: 'now' });

    expect(await waited).toBe(2_000);
  });

  it('ends a wait for a request that a person already handles', async () => {
    const scene = await startedScene();
    const { session } = scene;
    const options = anyOf(scene, {
      isHandled: () => true,
      isEnough: () => session.view.openInputs.length === 2,
    });
    const waited = elapsedMs([{ session, cursor: undefined }], options);

    void scene.process.ask();
    scene.clock.advance(1_000);
    void scene.process.ask({ toolUseId: 'toolu_2' });

    expect(await waited).toBe(1_000);
  });
});
