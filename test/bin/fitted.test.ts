import { expect, it } from 'vitest';
import { columnsOf, fitted } from '../../src/bin/fitted.js';

it.each([
  [{ isTTY: false, columns: 0 }, undefined],
  [{ isTTY: true, columns: 0 }, 80],
  [{ isTTY: true, columns: 60 }, 60],
  [{ isTTY: true, columns: 300 }, 100],
])('of %j, a text uses %s columns', (stream, columns) => {
  expect(columnsOf(stream)).toBe(columns);
});

it('breaks each line of a text between words, only in a terminal', () => {
  const text = 'one two three\n  four five';

  expect(fitted(text, { isTTY: true, columns: 8 })).toBe('one two\nthree\n  four\nfive');
  expect(fitted(text, { isTTY: false, columns: 8 })).toBe(text);
});
