import { describe, expect, it } from 'vitest';
import { until } from '../../kit/until.js';
import { createQueryScene, messageOf, resultOf } from './query-scene.js';

const shortage = {
  reason: 'Claude Code could not be started: spawn claude EAGAIN',
  neverStarted: true,
  isTransient: true,
};
const missing = { reason: 'Claude Code could not be started: spawn claude ENOENT', neverStarted: true };

type QueryScene = Awaited<ReturnType<typeof createQueryScene>>;

async function failStart({ backend }: QueryScene, index: number, exit: object): Promise<void> {
  const process = await backend.process(index);
  await process.prompt(0);
  process.exit(exit);
}

/** Lets the start with this number fail, and the pause after it pass. */
async function failAndPause(scene: QueryScene, index: number): Promise<void> {
  await failStart(scene, index, shortage);
  await until('the retry is told', () => scene.notices.length > index);
  scene.clock.advance(2_000);
}

describe('a query whose Claude Code cannot be started for a moment', () => {
  it('is started again after a pause that grows, and says so', async () => {
    const scene = await createQueryScene();
    const answer = scene.query();

    await failAndPause(scene, 0);
    await failAndPause(scene, 1);
    const process = await scene.backend.process(2);
    await process.prompt(0);
    process.init();
    process.result();

    expect(resultOf(await answer)).toEqual({ success: true, summary: 'done' });
    expect(scene.manager.list()).toHaveLength(1);
    expect(scene.notices.map(messageOf)).toEqual([
      {
        type: 'system',
        subtype: 'start_retry',
        attempt: 1,
        max_retries: 3,
        retry_delay_ms: expect.any(Number),
        error: shortage.reason,
      },
      expect.objectContaining({ attempt: 2 }),
    ]);
    const [first, second] = scene.notices.map((notice) => Number(messageOf(notice)['retry_delay_ms']));
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(scene.lines[0]).toMatch(/EAGAIN: retry 1 of 3 in \d+ ms$/);
  });

  it('is given up after four tries, and nothing is left', async () => {
    const scene = await createQueryScene();
    const answer = scene.query();
    answer.catch(() => undefined);

    for (const index of [0, 1, 2]) await failAndPause(scene, index);
    await failStart(scene, 3, shortage);

    await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE', message: shortage.reason });
    expect(scene.backend.processes).toHaveLength(4);
    expect(scene.manager.list()).toEqual([]);
  });

  it('is not started again when nobody wants it any more', async () => {
    const scene = await createQueryScene();
    const cancel = new AbortController();
    const answer = scene.query({}, { signal: cancel.signal });
    answer.catch(() => undefined);

    await failStart(scene, 0, shortage);
    await until('the retry is told', () => scene.notices.length > 0);
    cancel.abort();

    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(scene.backend.processes).toHaveLength(1);
  });

  it('is answered at once when a moment would change nothing', async () => {
    const scene = await createQueryScene();
    const answer = scene.query();
    answer.catch(() => undefined);

    await failStart(scene, 0, missing);

    await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(scene.backend.processes).toHaveLength(1);
    expect(scene.lines).toEqual([]);
  });
});
