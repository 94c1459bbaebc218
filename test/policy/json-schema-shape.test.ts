import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { refuseBadSchema } from '../../src/policy/json-schema-shape.js';

function problemOf(schema: unknown): string | undefined {
  try {
    refuseBadSchema(schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_ARGUMENT') throw error;
    return error.message;
  }
}

function nested(depth: number): unknown {
  return depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) };
}

describe('a schema', () => {
  it.each([
    ['that is empty', {}],
    ['with a type', { type: 'object' }],
    ['with several types', { type: ['string', 'null'] }],
    [
      'with all keywords',
      {
        type: 'object',
        properties: { a: { type: 'string', enum: ['x'] }, b: true, c: { $ref: '#/$defs/d' } },
        patternProperties: { '^x': {} },
        required: ['a'],
        additionalProperties: false,
        $defs: { d: { anyOf: [{ type: 'integer' }, { not: {} }] } },
        if: {},
        else: {},
      },
    ],
    ['with unknown keywords', { 'x-order': 1, title: 'T', format: 'date' }],
    ['with a property called type', { properties: { type: { type: 'string' }, required: {} } }],
    ['with prefixItems', { prefixItems: [{}, {}], items: false }],
  ])('%s is accepted', (_, schema) => {
    expect(problemOf(schema)).toBeUndefined();
  });

  it.each([
    ['nothing', undefined, 'outputFormat.schema must be a schema: an object'],
    ['a list', [], 'outputFormat.schema must be a schema: an object'],
    ['a text', 'object', 'outputFormat.schema must be a schema: an object'],
    ['true', true, 'outputFormat.schema must be an object'],
    ['an unknown type', { type: 'bird' }, /^outputFormat\.schema\.type must be one of object, array/],
    ['a list with an unknown type', { type: ['string', 'bird'] }, /schema\.type must be one of/],
    ['a required that is not a list', { required: 'a' }, /schema\.required must be a list of names/],
    ['a required that does not contain names', { required: [1] }, /schema\.required must be a list of names/],
    ['an enum that is not a list', { enum: 'a' }, /schema\.enum must be a list/],
    ['properties that are a list', { properties: [] }, /schema\.properties must be an object of schemas/],
    [
      'a property that is not a schema',
      { properties: { a: 'string' } },
      /schema\.properties\.a must be a schema/,
    ],
    ['items that are a list', { items: [{}] }, /schema\.items must be a schema/],
    ['an empty anyOf', { anyOf: [] }, /schema\.anyOf must be a list of schemas/],
    ['an anyOf that contains a text', { anyOf: [{}, 'x'] }, /schema\.anyOf\.1 must be a schema/],
    [
      'a bad type deep inside',
      { $defs: { d: { not: { type: 1 } } } },
      /schema\.\$defs\.d\.not\.type must be/,
    ],
  ])('that is or contains %s is refused with its path', (_, schema, problem) => {
    expect(problemOf(schema)).toMatch(problem);
  });

  it('may be nested up to forty levels', () => {
    expect(problemOf(nested(40))).toBeUndefined();
    expect(problemOf(nested(41))).toContain('is nested too deeply');
    expect(problemOf(nested(1_000))).toContain('is nested too deeply');
  });

  it('of any shape is either accepted or refused, and causes no other error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const problem = problemOf(value);

        expect(problem === undefined || problem.startsWith('outputFormat.schema')).toBe(true);
      }),
    );
  });
});
