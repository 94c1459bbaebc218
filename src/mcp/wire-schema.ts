import * as z from 'zod';
import { asList, isObject, type JsonObject } from '../core/json.js';

/** Keywords that cost bytes in every conversation, and that some clients reject. The server validates them itself. */
const dropped = new Set([
  '$schema',
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
  'format',
  'propertyNames',
]);

/** The schema that clients see: compact, without references, with an object at the root. */
export function toWireSchema(schema: z.ZodObject): Record<string, unknown> {
  return compact(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }));
}

/** The schemas of a stored answer to tools/list, by tool. */
export function wireSchemasIn(listed: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const tools = asList(listed?.['tools']).filter(isObject);
  return new Map(
    tools.flatMap(({ name, inputSchema }) =>
      typeof name === 'string' && isObject(inputSchema) ? [[name, inputSchema]] : [],
    ),
  );
}

function compact(schema: JsonObject): Record<string, unknown> {
  const { description, anyOf } = schema;
  const words = description === undefined ? {} : { description };
  if (schema['isOpaque'] === true) return { ...typesOf(schema), ...words };
  if (schema['showsFirst'] === true && Array.isArray(anyOf)) return { ...words, ...compact(anyOf[0]) };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => {
        if (key === 'type' && Array.isArray(value)) return ['anyOf', value.map((type) => ({ type }))];
        return [key, key === 'properties' ? mapValues(value) : compactValue(value)];
      }),
  );
}

/**
 * Only the type of a value with many parts: the reference lists the parts, so that not every conversation pays for
 * them. Alternatives stay an `anyOf`, because clients that map schemas to Gemini may reject a list of types.
 */
function typesOf({ type, anyOf }: JsonObject): Record<string, unknown> {
  if (!Array.isArray(anyOf)) return { type };
  const [only, ...others] = new Set(anyOf.map((option) => (isObject(option) ? option['type'] : undefined)));
  return others.length === 0
    ? { type: only }
    : { anyOf: [only, ...others].map((alternative) => ({ type: alternative })) };
}

/** Property names are not keywords: a property called `pattern` must survive. */
function mapValues(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, compactValue(inner)]));
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compactValue);
  return isObject(value) ? compact(value) : value;
}
