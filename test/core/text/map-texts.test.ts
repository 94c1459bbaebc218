import { describe, expect, it } from 'vitest';
import { mapTexts } from '../../../src/core/text/map-texts.js';

const shorten = (text: string): string => text.slice(0, 1);

describe('keys that become equal', () => {
  it('are numbered, and none replaces another, not even one that has such a number already', () => {
    const value = { a1: 1, a2: { b1: 'xy', b2: ['z'] }, b: 4, a3: 5 };

    expect(mapTexts(value, shorten)).toEqual({
      a: 1,
      'a (2)': { b: 'x', 'b (2)': ['z'] },
      b: 4,
      'a (3)': 5,
    });
    expect(mapTexts({ 'a (2)': 1, x: 2, y: 3 }, (key) => (key.length > 1 ? key : 'a'))).toEqual({
      'a (2)': 1,
      a: 2,
      'a (3)': 3,
    });
  });

  it('are numbered at once, however many they are', () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, index]));
    const start = performance.now();

    const mapped = mapTexts(value, shorten) as Record<string, number>;

    // It takes some 50 ms. With a search for each key, it took hours.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([mapped['a'], mapped['a (2)'], mapped['a (100000)']]).toEqual([0, 1, 99_999]);
  });
});
