import { describe, expect, it } from 'vitest';
import { batched, limitTo } from '../../src/core/shared-work.js';
import { deferred } from '../kit/deferred.js';

describe('limited work', () => {
  it('never exceeds the limit, and all of it gets its turn, also after failures', async () => {
    const inTurn = limitTo(2);
    let running = 0;
    const peaks: number[] = [];
    const work = (fails: boolean) => async () => {
      running += 1;
      peaks.push(running);
      await Promise.resolve();
      running -= 1;
      if (fails) throw new Error('failed');
      return 'done';
    };

    const results = await Promise.allSettled(
      [false, true, false, true, false].map((fails) => inTurn(work(fails))),
    );

    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(Math.max(...peaks)).toBe(2);
  });
});

describe('batched questions', () => {
  it('share one run, and those that come during a run share the next', async () => {
    const runs: string[][] = [];
    const hold = deferred();
    const begun = deferred();
    const ask = batched(async (questions: ReadonlySet<string>) => {
      runs.push([...questions]);
      begun.resolve();
      await hold.promise;
      return runs.length;
    });

    const early = [ask('a'), ask('b'), ask('a')];
    await begun.promise;
    const late = [ask('c'), ask('d')];
    hold.resolve();
    await Promise.all([...early, ...late]);

    expect(runs).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('are asked anew after a run that failed', async () => {
    let runs = 0;
    const ask = batched(async () => {
      runs += 1;
      if (runs === 1) throw new Error('failed');
      return runs;
    });

    await expect(ask('a')).rejects.toThrow('failed');
    expect(await ask('a')).toBe(2);
  });
});
