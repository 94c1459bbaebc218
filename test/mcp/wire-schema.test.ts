import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toWireSchema } from '../../src/mcp/wire-schema.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { sessionsTools } from '../../src/toolsets/sessions/index.js';
import { toolsListBytes } from './list-tools.js';

const droppedKeywords = new Set([
  '$schema',
  '$ref',
  '$defs',
  'additionalProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'propertyNames',
]);

/** Every keyword of a schema at any depth; the names of properties are not keywords. */
function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? Object.values(value as object).flatMap(keywordsOf) : [key, ...keywordsOf(value)],
  );
}

/** Every value of the keyword `type` at any depth. Clients that map schemas to Gemini may reject lists. */
function typesIn(schema: unknown): unknown[] {
  if (Array.isArray(schema)) return schema.flatMap(typesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.values(value as object).flatMap(typesIn)
      : key === 'type'
        ? [value]
        : typesIn(value),
  );
}

describe('the schema a client sees', () => {
  it('keeps names, types, words and what is required, and nothing else', () => {
    const input = z.strictObject({
      text: z.string().min(1).max(5).regex(/x/).describe('Words'),
      count: z.int().min(0).max(9).optional(),
      choice: z.enum(['a', 'b']).optional(),
      list: z.array(z.string().max(3)).min(1).optional(),
      inner: z.strictObject({ flag: z.boolean().optional() }).optional(),
      open: z.record(z.string(), z.unknown()).optional(),
    });

    expect(toWireSchema(input)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Words' },
        count: { type: 'integer' },
        choice: { type: 'string', enum: ['a', 'b'] },
        list: { type: 'array', items: { type: 'string' } },
        inner: { type: 'object', properties: { flag: { type: 'boolean' } } },
        open: { type: 'object' },
      },
      required: ['text'],
    });
  });

  it('keeps a property that is called like a keyword', () => {
    const input = z.strictObject({ pattern: z.string(), minimum: z.number().min(1) });

    expect(toWireSchema(input)).toMatchObject({
      properties: { pattern: { type: 'string' }, minimum: { type: 'number' } },
      required: ['pattern', 'minimum'],
    });
  });

  it('shows only the types of a value with many parts', () => {
    const parts = z.strictObject({ type: z.literal('preset'), append: z.string() });
    const input = z.strictObject({
      one: parts.meta({ isOpaque: true, description: 'Parts' }),
      same: z.union([parts, parts.extend({ more: z.string() })]).meta({ isOpaque: true }),
      either: z.union([z.string(), parts]).meta({ isOpaque: true }),
    });

    expect(toWireSchema(input)['properties']).toEqual({
      one: { type: 'object', description: 'Parts' },
      same: { type: 'object' },
      either: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    });
  });

  it('lists alternatives one by one', () => {
    const schema = toWireSchema(z.strictObject({ either: z.union([z.number(), z.string()]) }));

    expect(schema['properties']).toEqual({ either: { anyOf: [{ type: 'number' }, { type: 'string' }] } });
  });

  it('repeats what is used twice instead of referring to it', () => {
    const shared = z.strictObject({ a: z.string() });

    const schema = toWireSchema(z.strictObject({ one: shared, two: shared }));

    expect(keywordsOf(schema)).not.toContain('$ref');
  });
});

describe.each([
  ['the five tools', asyncTools],
  ['the four tools', checkRespondsTools],
  ['the six tools', sessionsTools],
])('%s', (_, tools) => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('%s has a plain schema', (_name, tool) => {
    const schema = toWireSchema(tool.input);

    expect(schema['type']).toBe('object');
    expect(Object.keys(schema)).not.toContain('anyOf');
    expect(Object.keys(schema)).not.toContain('oneOf');
    expect(Object.keys(schema)).not.toContain('allOf');
    expect(keywordsOf(schema).filter((key) => droppedKeywords.has(key))).toEqual([]);
    expect(typesIn(schema).filter((type) => typeof type !== 'string')).toEqual([]);
  });

  it('have names that every client takes, each once', () => {
    for (const { name } of tools) expect(name).toMatch(/^[a-z_-]{1,40}$/);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(['legacy', 'modern'] as const)(
    'cost every conversation at most 7,000 bytes in the %s era',
    async (era) => {
      expect(await toolsListBytes(tools, era)).toBeLessThanOrEqual(7_000);
    },
  );
});
