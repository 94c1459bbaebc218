import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { confirm } from '../../../src/console/terminal/ask.js';
import { shortFolder, span, stopwatch } from '../../../src/console/terminal/amounts.js';
import { dollars } from '../../../src/core/text/dollars.js';
import { fit, widthOf } from '../../../src/console/terminal/width.js';

const minute = 60_000;
const hour = 60 * minute;

it('writes times as people read them', () => {
  const times = [-5, 59_999, minute, 59 * minute, 3 * hour + 5_000, 49 * hour];

  expect(times.map(span)).toEqual(['0s', '59s', '1m', '59m', '3h', '2d']);
  expect(times.map(stopwatch)).toEqual(['0s', '59s', '1m 00s', '59m 00s', '3h 00m 05s', '49h 00m 00s']);
});

it('shows a small cost as more than nothing', () => {
  expect([0, 0.004, 0.005, 12.345, 123.45].map(dollars)).toEqual([
    '$0.00',
    '<$0.01',
    '$0.01',
    '$12.35',
    '$123',
  ]);
});

it('shortens the home folder only as a whole', () => {
  expect(['/home/me', '/home/me/a', '/home/meg'].map((path) => shortFolder(path, '/home/me'))).toEqual([
    '~',
    '~/a',
    '/home/meg',
  ]);
});

it.each([
  ['abcdef', 4, 'abc…'],
  ['abcd', 4, 'abcd'],
  ['日本語', 4, '日…'],
  ['日本語', 6, '日本語'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['👍👍', 3, '👍…'],
  ['ab', 0, ''],
])('%j fits into %i columns as %j', (text, columns, expected) => {
  expect(fit(text, columns)).toBe(expected);
  expect(widthOf(expected)).toBeLessThanOrEqual(columns);
});

it.each([
  ['㍿㈱㌔﹁︰ㄅ々', 14],
  ['ｱｲﾟ', 3],
  ['①é…', 3],
])('%j takes %i columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it.each([
  ['y\n', true],
  [' YES \n', true],
  ['\n', false],
  ['yesterday\n', false],
  ['', false],
])('the answer %j to a question means %s', async (typed, expected) => {
  const input = new PassThrough();
  input.end(typed);
  let shown = '';

  const answer = await confirm('Sure?', { input, write: (text) => (shown += text) });

  expect(answer).toBe(expected);
  expect(shown).toBe('Sure? [y/N] ');
});
