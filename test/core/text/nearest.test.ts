import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, guessLimit, nearest } from '../../../src/core/text/nearest.js';

describe('the distance between two words', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['roots', 'roots', 0],
    ['roots', 'root', 1],
    ['roots', 'boots', 1],
    ['roots', 'rotos', 1],
    ['roots', 'soort', 3],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %i', (from, to, edits) => {
    expect(editDistance(from, to)).toBe(edits);
  });

  it('is symmetric, and at most the length of the longer word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        const distance = editDistance(one, other);
        expect(distance).toBe(editDistance(other, one));
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      }),
    );
  });
});

describe('the nearest word', () => {
  it('has the fewest edits, within the limit', () => {
    const known = ['maxTurns', 'maxDepth', 'roots'] as const;

    expect(nearest('maxTurn', known, 2)).toBe('maxTurns');
    expect(nearest('maxDeth', known, 2)).toBe('maxDepth');
    expect(nearest('toolsets', known, 2)).toBeUndefined();
  });

  it('is not guessed from a short word that only looks alike', () => {
    const guess = (word: string): string | undefined => nearest(word, ['scope', 'port'], guessLimit(word));

    expect([guess('nope'), guess('prot'), guess('scop')]).toEqual([undefined, 'port', 'scope']);
  });
});
