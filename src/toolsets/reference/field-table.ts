import * as z from 'zod';
import { isObject, type JsonObject } from '../../core/json.js';
import { code, digits, table } from './markdown.js';

/** A key, its schema and its meaning. */
export type FieldRow = readonly [name: string, field: z.ZodType, meaning: string];

export function fieldTable(rows: readonly FieldRow[]): string {
  return table(
    ['Key', 'Value', 'Meaning'],
    rows.map(([name, field, meaning]) => [
      field.safeParse(undefined).success ? code(name) : `${code(name)} (required)`,
      name === 'advanced' ? 'object' : valueWords(field),
      meaning,
    ]),
  );
}

/** The accepted values, derived from the schema that validates them. */
function valueWords(field: z.ZodType): string {
  return describe(z.toJSONSchema(field, { io: 'input', reused: 'inline' }));
}

function describe(schema: JsonObject): string {
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map(describe).join(', or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => code(String(value))).join(', ');
  if ('const' in schema) return code(String(schema['const']));
  switch (schema['type']) {
    case 'array':
      return describeArray(schema);
    case 'object':
      return describeObject(schema);
    case 'integer':
      return ['whole number', range(schema)].filter(Boolean).join(', ');
    case 'number':
      return ['number', range(schema)].filter(Boolean).join(', ');
    case 'boolean':
      return '`true` or `false`';
    case 'string':
      return 'text';
    default:
      return 'anything';
  }
}

function describeArray({ items, maxItems }: JsonObject): string {
  const most = typeof maxItems === 'number' ? ` of at most ${digits(maxItems)}` : '';
  return `list${most}: ${describe(isObject(items) ? items : {})}`;
}

function describeObject({ properties }: JsonObject): string {
  if (!isObject(properties)) return 'object';
  const fields = Object.entries(properties).map(
    ([key, value]) => `${code(key)}: ${describePart(isObject(value) ? value : {})}`,
  );
  return `object with ${fields.join('; ')}`;
}

/** An object inside an object shows only its keys, because a table cell has little room. */
function describePart(schema: JsonObject): string {
  const { properties } = schema;
  return isObject(properties)
    ? `object with ${Object.keys(properties).map(code).join(', ')}`
    : describe(schema);
}

/** Zod reports the limits of a safe integer if the schema sets none. */
function range({ minimum, maximum, exclusiveMinimum }: JsonObject): string {
  const low = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const high = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (low !== undefined && high !== undefined) return `${digits(low)} to ${digits(high)}`;
  const words = [
    low === undefined ? '' : `at least ${digits(low)}`,
    typeof exclusiveMinimum === 'number' ? `above ${digits(exclusiveMinimum)}` : '',
    high === undefined ? '' : `at most ${digits(high)}`,
  ];
  return words.filter((part) => part !== '').join(', ');
}
