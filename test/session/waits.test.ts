import { describe, expect, it } from 'vitest';
import { waitForNews, type WaitOptions } from '../../src/session/waits.js';
import { idleScene, reply, startedScene, type Scene } from './session-scene.js';

const anyOf = (scene: Pick<Scene, 'clock'>, options: Partial<WaitOptions> = {}): WaitOptions => ({
  mode: 'any',
  ms: 30_000,
  signal: new AbortController().signal,
  clock: scene.clock,
  isHandled: () => false,
  isEnough: () => false,
  ...options,
});

describe('without a cursor', () => {
  it('is over at once when the session is not running', async () => {
    const scene = await idleScene();

    const waitedMs = await waitForNews([{ session: scene.session, cursor: undefined }], anyOf(scene));

    expect(waitedMs).toBe(0);
  });

  it('is over with the result, and tells how long it took', async () => {
    const scene = await startedScene();
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.process.event({ type: 'text', text: 'not yet' });
    scene.clock.advance(2_500);
    scene.process.result();

    expect(await waited).toBe(2_500);
  });

  it('is over when somebody is needed', async () => {
    const scene = await startedScene();
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.clock.advance(100);
    void scene.process.ask();

    expect(await waited).toBe(100);
  });

  it('is over when the session is cancelled', async () => {
    const scene = await startedScene();
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], anyOf(scene));

    await scene.session.cancel();

    expect(await waited).toBe(0);
  });
});

describe('with a cursor', () => {
  it('is over at once when something pinned came after it', async () => {
    const scene = await idleScene();

    expect(await waitForNews([{ session: scene.session, cursor: 0 }], anyOf(scene))).toBe(0);
  });

  it('waits on while a request is open that the caller has seen', async () => {
    const scene = await startedScene();
    void scene.process.ask();
    const cursor = scene.session.log.head;
    const waited = waitForNews([{ session: scene.session, cursor }], anyOf(scene));

    scene.clock.advance(1_000);
    scene.broker.withdrawAll(scene.session.id, 'caller');

    expect(await waited).toBe(1_000);
  });

  it('is over at once when nothing more can come', async () => {
    const scene = await idleScene();
    const cursor = scene.session.log.head;

    expect(await waitForNews([{ session: scene.session, cursor }], anyOf(scene))).toBe(0);
  });

  it('waits for the turn that a background task will cause', async () => {
    const scene = await idleScene();
    scene.process.signal({ type: 'tasks', tasks: [{ taskId: 't1', text: 'npm test' }] });
    const cursor = scene.session.log.head;
    const waited = waitForNews([{ session: scene.session, cursor }], anyOf(scene));

    scene.clock.advance(500);
    scene.process.signal({ type: 'tasks', tasks: [] });
    scene.clock.advance(500);
    scene.process.unsolicitedResult();

    expect(await waited).toBe(1_000);
  });
});

describe('several sessions', () => {
  it('are over with the news of any of them', async () => {
    const [first, second] = [await startedScene(), await startedScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: session.log.head }));
    const waited = waitForNews(targets, anyOf(first));

    first.clock.advance(700);
    second.process.result();

    expect(await waited).toBe(700);
  });

  it('are over when all are done or need someone', async () => {
    const [first, second] = [await startedScene(), await startedScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: undefined }));
    const waited = waitForNews(targets, anyOf(first, { mode: 'all' }));

    second.process.result();
    first.clock.advance(700);
    void first.process.ask();

    expect(await waited).toBe(700);
  });

  it('wait on for all when one of them goes on', async () => {
    const [first, second] = [await startedScene(), await idleScene()];
    const targets = [first, second].map(({ session }) => ({ session, cursor: undefined }));
    const waited = waitForNews(targets, anyOf(first, { mode: 'all' }));

    await reply(second.session, 'second');
    first.process.result();
    first.clock.advance(700);
    await second.process.prompt(1);
    second.process.result();

    expect(await waited).toBe(700);
  });
});

describe('a wait', () => {
  it('is no longer than asked for', async () => {
    const scene = await startedScene();
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], anyOf(scene));

    scene.clock.advance(30_000);

    expect(await waited).toBe(30_000);
  });

  it('does not take place at 0, nor when the caller has gone', async () => {
    const scene = await startedScene();
    const targets = [{ session: scene.session, cursor: undefined }];

    expect(await waitForNews(targets, anyOf(scene, { ms: 0 }))).toBe(0);
    expect(await waitForNews(targets, anyOf(scene, { signal: AbortSignal.abort() }))).toBe(0);
  });

  it('ends when the caller goes', async () => {
    const scene = await startedScene();
    const controller = new AbortController();
    const options = anyOf(scene, { signal: controller.signal });
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], options);

    scene.clock.advance(1_000);
    controller.abort();

    expect(await waited).toBe(1_000);
  });

  it('ticks every five seconds', async () => {
    const scene = await startedScene();
    let ticks = 0;
    const options = anyOf(scene, { onTick: () => (ticks += 1) });
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], options);

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
    const waited = waitForNews([{ session: scene.session, cursor: undefined }], options);

    scene.clock.advance(12_000);
    await waited;

    expect(scene.clock.pendingTimers).toBe(timersBefore);
  });
});
