import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { canonicalHash } from '../../src/core/canonical-hash.js';

/** JSON as it arrives over the wire, from so few texts that equal parts are common. */
const word = fc.constantFrom('', 'a', 'b', 'entries', '__proto__', '0', 'ä');
const { json } = fc.letrec<{ json: unknown; list: unknown[]; table: Record<string, unknown> }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom(true, false, null, 0.5),
    tie('list'),
    tie('table'),
  ),
  list: fc.array(tie('json'), { maxLength: 3 }),
  table: fc.array(fc.tuple(word, tie('json')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
}));

/** The same value with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

it('ignores the order of keys at any depth', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalHash(turned(value))).toBe(canonicalHash(value));
    }),
  );
});

it('is equal exactly for equal values', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(canonicalHash(a) === canonicalHash(b)).toBe(isDeepStrictEqual(a, b));
    }),
    { numRuns: 2_000 },
  );
});

it.each<[string, unknown, unknown]>([
  ['a list in another order', [1, 2], [2, 1]],
  ['an object and the list of its entries', { a: 1 }, [['a', 1]]],
  ['an object and its form for hashing', { a: 1 }, { entries: [['a', 1]] }],
  ['a number and its text', 1, '1'],
  ['null and its text', null, 'null'],
  ['undefined and an empty text', undefined, ''],
  ['an empty list and an empty object', [], {}],
  ['a key moved into its neighbour', { a: 'b', c: 'd' }, { a: 'bc', d: '' }],
  ['a nested value moved out', { a: { b: 1 } }, { a: {}, b: 1 }],
  ['a text and one with a hidden character', 'a', 'a\u200b'],
  ['two ways to write the same letter', 'é', 'e\u0301'],
])('distinguishes %s', (_what, a, b) => {
  expect(canonicalHash(a)).not.toBe(canonicalHash(b));
});

it('is a short text that reveals nothing about the value', () => {
  expect(canonicalHash({ command: 'echo secret' })).toMatch(/^[\w-]{43}$/);
});
