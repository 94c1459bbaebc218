import { expect, it } from 'vitest';
import { Permits } from '../../../src/session/services/permits.js';

/** Acquires a permit for each name and records the order in which they succeed. */
function acquireAll(permits: Permits, names: readonly string[]) {
  const got: string[] = [];
  const all = names.map(async (name) => {
    await permits.acquire();
    got.push(name);
  });
  return { got, all };
}

it('admits as many as there are permits, and the others in order', async () => {
  const permits = new Permits(2);
  const { got, all } = acquireAll(permits, ['a', 'b', 'c', 'd']);
  await Promise.all(all.slice(0, 2));
  expect(got).toEqual(['a', 'b']);

  permits.release();
  await all[2];
  expect(got).toEqual(['a', 'b', 'c']);

  permits.release();
  await all[3];
  expect(got).toEqual(['a', 'b', 'c', 'd']);
});

it('keeps a released permit that nobody waits for', async () => {
  const permits = new Permits(1);
  await permits.acquire();

  permits.release();
  const { got, all } = acquireAll(permits, ['a']);
  await Promise.all(all);

  expect(got).toEqual(['a']);
});

it('passes a permit to the next in line before a newcomer', async () => {
  const permits = new Permits(1);
  await permits.acquire();
  const { got, all } = acquireAll(permits, ['first']);

  permits.release();
  const { got: later } = acquireAll(permits, ['newcomer']);
  await Promise.all(all);

  expect([got, later]).toEqual([['first'], []]);
});
