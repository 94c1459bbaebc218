import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { asList, asNumber, asText, isObject, ownValue, parseJson, parseObject } from '../../src/core/json.js';

it('distinguishes objects from arrays, null and primitive values', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
  expect([[], null, undefined, 'a', 1, true].map(isObject)).toEqual(Array(6).fill(false));
});

it('parses valid JSON and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);

      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(parseObject(text)).toEqual(isObject(value) ? JSON.parse(text) : undefined);
    }),
  );
  expect(parseJson('{"half":')).toBeUndefined();
  expect(parseObject('')).toBeUndefined();
});

it('finds own values only, at any depth', () => {
  const value = parseJson('{"a":{"b":1,"__proto__":{"c":2}}}');

  expect(ownValue(value, 'a', 'b')).toBe(1);
  expect(ownValue(value, 'a', 'c')).toBeUndefined();
  expect(ownValue(value, 'constructor')).toBeUndefined();
  expect(ownValue(value, 'a', 'b', 'c')).toBeUndefined();
  expect(ownValue(null, 'a')).toBeUndefined();
});

it('reads only values of the expected type', () => {
  expect([asText('a'), asText(1)]).toEqual(['a', undefined]);
  expect([asNumber(1), asNumber('1'), asNumber(Number.NaN)]).toEqual([1, undefined, undefined]);
  expect([asList([1]), asList('a')]).toEqual([[1], []]);
});

it('parses no text with very many values, and any long text with few', () => {
  const many = `[${'1,'.repeat(500_000)}1]`;
  const long = JSON.stringify({ text: '[1,'.repeat(500_000) });

  expect([parseJson(many), parseJson(long)]).toEqual([undefined, { text: '[1,'.repeat(500_000) }]);
});
