import { expect, it } from 'vitest';
import { hasTooManyValues } from '../../../src/core/text/json-size.js';

it.each([
  ['a list of many values', `[${'{},'.repeat(20_000)}{}]`],
  ['nested lists', '['.repeat(20_001)],
  ['an object of many keys', `{${'"a":1,'.repeat(20_001)}`],
])('%s has too many values', (_what, text) => {
  expect(hasTooManyValues(text)).toBe(true);
});

it.each([
  ['signs in a text', JSON.stringify({ prompt: '[{,'.repeat(100_000) })],
  ['signs after an escaped quote', JSON.stringify({ prompt: `"\\${',["'.repeat(20_000)}` })],
  ['a list of as many values as are read', `[${'1,'.repeat(19_998)}1]`],
])('%s has not', (_what, text) => {
  expect(hasTooManyValues(text)).toBe(false);
});
