import { AppError } from '../core/errors.js';
import { isObject } from '../core/json.js';

const types: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const maxDepth = 40;

type Check = (value: unknown, path: string, depth: number) => string | undefined;

const one: Check = (value, path, depth) => problemIn(value, path, depth + 1);
const each: Check = (value, path, depth) =>
  isObject(value)
    ? first(Object.entries(value), ([key, inner]) => problemIn(inner, `${path}.${key}`, depth + 1))
    : `${path} must be an object of schemas`;
const list: Check = (value, path, depth) =>
  Array.isArray(value) && value.length > 0
    ? first([...value.entries()], ([index, inner]) => problemIn(inner, `${path}.${index}`, depth + 1))
    : `${path} must be a list of schemas`;

const keywords = new Map<string, Check>([
  [
    'type',
    (value, path) =>
      (Array.isArray(value) ? value : [value]).every((type) => types.has(type))
        ? undefined
        : `${path} must be one of ${[...types].join(', ')}`,
  ],
  [
    'required',
    (value, path) =>
      Array.isArray(value) && value.every((name) => typeof name === 'string')
        ? undefined
        : `${path} must be a list of names`,
  ],
  ['enum', (value, path) => (Array.isArray(value) ? undefined : `${path} must be a list`)],
  ...['properties', 'patternProperties', '$defs', 'definitions'].map((key): [string, Check] => [key, each]),
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'].map(
    (key): [string, Check] => [key, one],
  ),
  ...['prefixItems', 'allOf', 'anyOf', 'oneOf'].map((key): [string, Check] => [key, list]),
]);

/** Refuses an invalid schema and says where it is wrong. Claude Code would exit without any message. */
export function refuseBadSchema(schema: unknown): void {
  const problem = problemIn(schema, 'schema', 0);
  if (problem === undefined) return;
  throw new AppError('schema_invalid', { problem });
}

function problemIn(schema: unknown, path: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return depth === 0 ? `${path} must be an object` : undefined;
  if (!isObject(schema)) return `${path} must be a schema: an object`;
  if (depth > maxDepth) return `${path} is nested too deeply`;
  return first(Object.entries(schema), ([key, value]) => keywords.get(key)?.(value, `${path}.${key}`, depth));
}

function first<T>(values: readonly T[], problemOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
