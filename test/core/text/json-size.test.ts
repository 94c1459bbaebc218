import { expect, it } from 'vitest';
import { isTooCostly } from '../../../src/core/text/json-size.js';

it.each([
  ['a list of many values', `[${'{},'.repeat(20_000)}{}]`],
  ['nested lists', '['.repeat(201)],
  ['nested objects', '{"a":'.repeat(201)],
  ['an object of many keys', `{${'"a":1,'.repeat(20_001)}`],
])('%s costs too much', (_what, text) => {
  expect(isTooCostly(text)).toBe(true);
});

it.each([
  ['signs in a text', JSON.stringify({ prompt: '[{,'.repeat(100_000) })],
  ['signs after an escaped quote', JSON.stringify({ prompt: `"\\${',["'.repeat(20_000)}` })],
  ['as many levels as are read', `${'['.repeat(200)}${']'.repeat(200)}`],
  ['many lists beside each other', `[${'[],'.repeat(300)}[]]`],
  ['a list of as many values as are read', `[${'1,'.repeat(19_998)}1]`],
])('%s does not', (_what, text) => {
  expect(isTooCostly(text)).toBe(false);
});
