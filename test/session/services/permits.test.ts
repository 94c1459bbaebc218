import { expect, it } from 'vitest';
import { Permits } from '../../../src/session/services/permits.js';

/** Acquires a permit for each name and records the order in which they succeed. */
function acquireAll(permits: Permits, names: readonly string[]) {
  const got: string[] = [];
  const all = names.map(async (name) => {
    const release = await permits.acquire();
    got.push(name);
    return release;
  });
  return { got, all };
}

it('admits as many as there are permits, and the others in order', async () => {
  const { got, all } = acquireAll(new Permits(2), ['a', 'b', 'c', 'd']);
  const [releaseA, releaseB] = await Promise.all(all.slice(0, 2));
  expect(got).toEqual(['a', 'b']);

  releaseB?.();
  await all[2];
  expect(got).toEqual(['a', 'b', 'c']);

  releaseA?.();
  await all[3];
  expect(got).toEqual(['a', 'b', 'c', 'd']);
});

it('keeps a released permit that nobody waits for', async () => {
  const permits = new Permits(1);
  const release = await permits.acquire();

  release();
  const { got, all } = acquireAll(permits, ['a']);
  await Promise.all(all);

  expect(got).toEqual(['a']);
});

it('passes a permit to the next in line before a newcomer', async () => {
  const permits = new Permits(1);
  const release = await permits.acquire();
  const { got, all } = acquireAll(permits, ['first']);

  release();
  const { got: later } = acquireAll(permits, ['newcomer']);
  await Promise.all(all);

  expect([got, later]).toEqual([['first'], []]);
});

it('takes a permit back only once', async () => {
  const permits = new Permits(1);
  const release = await permits.acquire();
  const { got, all } = acquireAll(permits, ['next', 'last']);

  release();
  const releaseNext = await all[0];
  release();
  await Promise.resolve();
  expect(got).toEqual(['next']);

  releaseNext?.();
  await all[1];
  expect(got).toEqual(['next', 'last']);
});
