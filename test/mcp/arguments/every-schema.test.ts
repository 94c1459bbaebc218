import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cleanArguments } from '../../../src/mcp/arguments/clean.js';
import { explainArguments } from '../../../src/mcp/arguments/explain.js';
import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { configureTools } from '../../../src/toolsets/configure/index.js';
import { createQueryTool } from '../../../src/toolsets/query/query.js';
import { sessionsTools } from '../../../src/toolsets/sessions/index.js';

const query = createQueryTool({ maxExecutionMs: 300_000 });
const inputs = new Set(
  [...asyncTools, ...checkRespondsTools, ...sessionsTools, ...configureTools, query].map(
    (tool) => tool.input,
  ),
);
const nameOf = (input: z.ZodObject): string => Object.keys(input.shape).join(', ');
const rows = [...inputs].map((input) => [nameOf(input), input] as const);

/** Texts that a careless reader would take for something else. */
const temptingText = fc.oneof(
  fc.string(),
  fc.constantFrom('', '5000', 'true', 'False', 'null', '{"a":1}', '["x"]', 'a,b', 'ALLOW', 'Read', 'default'),
);

/** Values of a schema. Those of an object are valid wherever they can be left out. */
function valuesOf(field: unknown): fc.Arbitrary<unknown> {
  if (isWrapper(field)) return valuesOf(field.unwrap());
  if (field instanceof z.ZodPipe) return valuesOf(field.out);
  if (field instanceof z.ZodUnion) return fc.oneof(...field.options.map(valuesOf));
  if (field instanceof z.ZodEnum) return fc.constantFrom(...field.options);
  if (field instanceof z.ZodLiteral) return fc.constantFrom(...field.values);
  if (field instanceof z.ZodBoolean) return fc.boolean();
  if (field instanceof z.ZodNumber) return fc.oneof(fc.nat({ max: 100_000 }), fc.double({ min: 0, max: 9 }));
  if (field instanceof z.ZodArray) return fc.array(valuesOf(field.element), { maxLength: 3 });
  if (field instanceof z.ZodRecord)
    return fc.dictionary(fc.constantFrom('a', 'CI', '0'), valuesOf(field.valueType), { maxKeys: 2 });
  if (field instanceof z.ZodObject)
    return fc
      .record(mapValues(field.shape, valuesOf), { requiredKeys: requiredKeys(field) })
      .map((object) => validFields(object, field));
  return field instanceof z.ZodType && field.def.type === 'string'
    ? temptingText
    : fc.oneof(temptingText, fc.integer(), fc.constant(null), fc.array(temptingText, { maxLength: 2 }));
}

function isWrapper(field: unknown): field is z.ZodOptional | z.ZodNullable | z.ZodLazy {
  return [z.ZodOptional, z.ZodNullable, z.ZodLazy].some((kind) => field instanceof kind);
}

function requiredKeys({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((key) => !(shape[key] as z.ZodType).safeParse(undefined).success);
}

function validFields(object: Readonly<Record<string, unknown>>, { shape }: z.ZodObject): object {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => {
      const field = shape[key] as z.ZodType;
      // An empty text means that an optional field is not set.
      if (value === '' && field.safeParse(undefined).success) return false;
      return field.safeParse(value).success;
    }),
  );
}

function mapValues<T>(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/** Several tools share the schemas of their options. Each is tried with each value in one of them. */
const tried = new Map<unknown, Set<unknown>>();

/** A value for the object that has `wrong` at one of its places, for every place. */
function* misfits(schema: z.ZodObject, wrong: unknown): Iterable<Record<string, unknown>> {
  const seen = tried.get(wrong) ?? new Set();
  tried.set(wrong, seen);
  for (const [key, field] of Object.entries(schema.shape)) {
    yield { [key]: wrong };
    for (const inner of partsOf(field).filter((part) => !seen.has(part))) {
      seen.add(inner);
      for (const misfit of inside(inner, wrong)) yield { [key]: misfit };
    }
  }
}

function partsOf(field: unknown): unknown[] {
  if (isWrapper(field)) return partsOf(field.unwrap());
  if (field instanceof z.ZodPipe) return partsOf(field.out);
  return field instanceof z.ZodUnion ? field.options.flatMap(partsOf) : [field];
}

function* inside(part: unknown, wrong: unknown): Iterable<unknown> {
  if (part instanceof z.ZodObject) yield* misfits(part, wrong);
  if (part instanceof z.ZodArray) {
    yield [wrong];
    for (const inner of partsOf(part.element)) for (const value of inside(inner, wrong)) yield [value];
  }
  if (part instanceof z.ZodRecord) {
    yield { a: wrong };
    for (const inner of partsOf(part.valueType)) for (const value of inside(inner, wrong)) yield { a: value };
  }
}

const wrongValues = [
  -1,
  7.5,
  1e300,
  true,
  null,
  '',
  'zzz',
  '-x',
  'x'.repeat(21_000),
  [],
  [[]],
  ['zzz'],
  Array.from({ length: 600 }, () => 'x'),
  {},
  { zzz: 1 },
  { type: 'http' },
  { '': '' },
];

/** Phrases of zod itself. */
const zodWords =
  /Invalid (input|option|string|key|element|URL|UUID)|expected \w+, received|Too (big|small)|Unrecognized key|\bNaN\b|undefined|\[object/i;

describe.each(rows)('a tool with %s', (_name, input) => {
  it('never changes valid arguments', () => {
    let valid = 0;
    fc.assert(
      fc.property(valuesOf(input), (args) => {
        if (!input.safeParse(args).success) return;
        valid += 1;

        expect(cleanArguments(args, input)).toEqual(args);
      }),
      { numRuns: 30 },
    );

    expect(valid).toBeGreaterThan(0);
  });

  it('reads the same arguments twice in the same way', () => {
    fc.assert(
      fc.property(valuesOf(input), (args) => {
        const once = cleanArguments(args, input);

        expect(cleanArguments(once, input)).toEqual(once);
      }),
      { numRuns: 20 },
    );
  });

  it('explains a wrong value at every place in our own words', () => {
    const texts = [...wrongValues, undefined].flatMap((wrong) =>
      [...misfits(input, wrong), { zzz: wrong }].flatMap((args) => {
        const cleaned = cleanArguments(args, input);
        return input.safeParse(cleaned).success ? [] : [explainArguments(cleaned, input).message];
      }),
    );

    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => zodWords.test(text) || text === '' || text.length > 3_000)).toEqual([]);
  });
});
