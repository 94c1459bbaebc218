/** Arguments for a tool, from its JSON schema: valid ones, almost valid ones and hostile ones. */
import * as fc from 'fast-check';

export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
};

/** Texts that mean something to the server, by the name of their key. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

const deep = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);
const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key${index}`, index]));

const hostileValues: readonly unknown[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\n',
  '\r\n',
  '﻿',
  '\ud800',
  '‮abc',
  'é'.repeat(300),
  'x'.repeat(2e5),
  '../../etc/passwd',
  '/dev/null',
  '/proc/self/mem',
  '~',
  '~root',
  '$HOME',
  'C:\\',
  '-rf',
  '--help',
  '@/etc/hosts',
  '/clear',
  '!ls',
  '{"a":1}',
  '[1]',
  'null',
  'true',
  'NaN',
  '1e999',
  '0x10',
  '__proto__',
  'constructor',
  'toString',
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: null },
  wide,
  Array.from({ length: 2e3 }, () => 'x'),
  deep(50),
  deep(1e3),
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 1 },
];

const hostile = fc.oneof(fc.constantFrom(...hostileValues), fc.jsonValue({ maxDepth: 3 }), fc.string());

function valid(schema: Schema, key: string, known: Known): fc.Arbitrary<unknown> {
  const pool = Object.hasOwn(known, key) ? known[key] : schema.enum;
  if (pool !== undefined) return fc.constantFrom(...pool);
  if ('const' in schema) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valid(choice, key, known)));
  return validType(schema, key, known);
}

function validType(schema: Schema, key: string, known: Known): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 100_000, maxLength = 60 } = schema;
  switch (schema.type) {
    case 'string':
      return fc.string({ minLength: 1, maxLength: Math.min(maxLength, 60) });
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -1_000), max: Math.min(maximum, 1_000_000) });
    case 'number':
      return fc.double({ min: Math.max(minimum, 0), max: Math.min(maximum, 1_000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valid(schema.items ?? {}, key, known), { maxLength: 4 });
    case 'object':
      return validObject(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function validObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  known: Known,
): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, valid(schema, key, known)]),
  );
  // Few of the optional ones, because each of them can be refused.
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const declared = fc
    .subarray(optional, { maxLength: Math.min(optional.length, 3) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(Object.entries(fields).filter(([key]) => [...required, ...chosen].includes(key))),
      ),
    );
  if (typeof additionalProperties !== 'object') return declared;
  const extra = fc.dictionary(fc.string({ maxLength: 10 }), valid(additionalProperties, '', known), {
    maxKeys: 3,
  });
  return fc.tuple(declared, extra).map(([own, others]) => ({ ...others, ...own }));
}

/** Replaces, removes, adds, wraps or prints one value somewhere in the arguments. */
function damaged(args: object, { kind, at, value }: Fault): object {
  const copy = JSON.parse(JSON.stringify(args)) as object;
  const places = placesIn(copy);
  const { holder, key, old } = places[at % Math.max(places.length, 1)] ?? { holder: copy, key: 'a', old: 1 };
  // An assignment would set the prototype instead of a key with that name.
  const put = (name: string, content: unknown): unknown =>
    Object.defineProperty(holder, name, { value: content, enumerable: true, configurable: true });
  const kinds: readonly (() => unknown)[] = [
    () => put(key, value),
    () => Reflect.deleteProperty(holder, key),
    () => put(`${key}X`, old),
    () => put(key, [old]),
    () => put(key, JSON.stringify(old)),
    () => put(key.toUpperCase(), value),
    () => put('__proto__', value),
  ];
  kinds[kind % kinds.length]?.();
  return copy;
}

type Place = { readonly holder: object; readonly key: string; readonly old: unknown };

function placesIn(value: unknown, levels = 4): Place[] {
  if (typeof value !== 'object' || value === null || levels === 0) return [];
  return Object.entries(value).flatMap(([key, old]) => [
    { holder: value, key, old },
    ...placesIn(old, levels - 1),
  ]);
}

type Fault = { readonly kind: number; readonly at: number; readonly value: unknown };

const fault: fc.Arbitrary<Fault> = fc.record({ kind: fc.nat(20), at: fc.nat(50), value: hostile });

/** The arguments of one call as JSON text, because only text can hold a `__proto__` key. */
export function callArguments(schema: Schema, known: Known): fc.Arbitrary<string> {
  const good = validObject(schema, known);
  return fc
    .oneof(
      { weight: 2, arbitrary: good },
      { weight: 5, arbitrary: fc.tuple(good, fault).map(([args, one]) => damaged(args, one)) },
      {
        weight: 2,
        arbitrary: fc.tuple(good, fault, fault).map(([args, one, two]) => damaged(damaged(args, one), two)),
      },
      {
        weight: 1,
        arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(schema.properties ?? {}), 'x'), hostile),
      },
    )
    .map((args) => JSON.stringify(args));
}
