import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayMatch } from '../../../src/core/text/wildcards.js';

const meaning = new Map([
  ['*', '.*'],
  ['?', '.'],
  ['.', String.raw`\.`],
]);

describe('a file pattern', () => {
  it('matches as the corresponding regular expression does', () => {
    const sign = fc.constantFrom('a', 'b', 'B', '.', '-', 'é');
    const pattern = fc.array(fc.oneof(sign, fc.constantFrom('*', '?')), { maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.array(sign, { maxLength: 8 }), (signs, letters) => {
        const source = signs.map((one) => meaning.get(one) ?? one).join('');
        const expected = new RegExp(`^${source}$`, 'iu').test(letters.join(''));

        expect(mayMatch(signs.join(''), letters.join(''))).toBe(expected);
      }),
    );
  });

  it('with brackets may match anything', () => {
    expect(mayMatch('[ab]', 'zzz')).toBe(true);
  });

  it('with many stars is compared in a bounded number of steps', () => {
    expect(mayMatch(`${'*a'.repeat(100)}*b`, 'a'.repeat(255))).toBe(false);
  });
});
