import { describe, expect, it } from 'vitest';
import { batched } from '../../src/core/shared-work.js';
import { deferred } from '../kit/deferred.js';

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

  it('share one run when they come in the same turn of the event loop', async () => {
    const runs: string[][] = [];
    const ask = batched(async (questions: ReadonlySet<string>) => runs.push([...questions]));

    const first = ask('a');
    await Promise.resolve();
    await Promise.all([first, ask('b')]);

    expect(runs).toEqual([['a', 'b']]);
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
