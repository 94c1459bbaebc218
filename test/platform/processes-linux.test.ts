import { describe, expect, it } from 'vitest';
import { markFinder, search } from '../../src/platform/processes-linux.js';

/** A search over the pids that each listing shows. The last is repeated. */
function play(
  listings: readonly (readonly number[])[],
  verdicts: Readonly<Record<number, ('marked' | 'unmarked' | 'unclear')[]>>,
) {
  const looked: number[] = [];
  let count = 0;
  let pauses = 0;
  const found = search<'marked'>({
    list: async () => listings[Math.min(count++, listings.length - 1)] ?? [],
    look: async (pid) => {
      looked.push(pid);
      return verdicts[pid]?.shift() ?? 'unmarked';
    },
    pause: async () => void (pauses += 1),
  });
  return found.then((marks) => ({ found: [...marks.keys()], looked, lists: count, pauses }));
}

describe('a search among all processes', () => {
  it('looks at each once, and ends when none has begun meanwhile', async () => {
    expect(await play([[1, 2, 3]], { 2: ['marked'] })).toEqual({
      found: [2],
      looked: [1, 2, 3],
      lists: 2,
      pauses: 0,
    });
  });

  it('finds a process that has started itself again and left the list it was on', async () => {
    const listings = [
      [1, 2],
      [1, 3],
      [1, 4],
    ];

    // 2 and 3 have exited before the look.
    expect(await play(listings, { 4: ['marked'] })).toMatchObject({ found: [4], looked: [1, 2, 3, 4] });
  });

  it('looks again at a process between two programs', async () => {
    expect(await play([[1, 2]], { 2: ['unclear', 'unclear', 'marked'] })).toEqual({
      found: [2],
      looked: [1, 2, 2, 2],
      lists: 4,
      pauses: 2,
    });
  });

  it('ends although processes begin all the time', async () => {
    const listings = Array.from({ length: 100 }, (_, index) => [index]);

    expect(await play(listings, {})).toMatchObject({ found: [], looked: [0, 1, 2, 3, 4] });
  });
});

describe('a marker in an environment', () => {
  const find = markFinder(new Set(['DEPTH=1.a', 'DEPTH=1.b']));

  it.each([
    ['A=1\0DEPTH=1.b\0B=2\0', 'DEPTH=1.b'],
    ['DEPTH=9\0DEPTH=1.a', 'DEPTH=1.a'],
    ['DEPTH=1.ab\0', undefined],
    ['X_DEPTH=1.a\0', undefined],
    ['A=DEPTH=1.a\0', undefined],
    ['', undefined],
  ])('is a whole entry: %j', (environment, marker) => {
    expect(find(Buffer.from(environment))).toBe(marker);
  });
});
