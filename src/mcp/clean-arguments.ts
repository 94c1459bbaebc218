import * as z from 'zod';

/** Some clients add this to every call; it means nothing to us. */
const injectedKeys = new Set(['wait_for_previous']);

/** Drops what models and clients add without meaning it: `null` for "not given", and injected keys. */
export function cleanArguments(args: unknown, schema: z.ZodObject): Record<string, unknown> {
  const known = isObject(args) ? args : {};
  return dropNulls(
    Object.fromEntries(Object.entries(known).filter(([key]) => !injectedKeys.has(key))),
    schema,
  );
}

/** Only where our own schema names the keys: a null inside a tool's input means null. */
function dropNulls(value: Record<string, unknown>, schema: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => {
        const field = Object.hasOwn(schema.shape, key) ? unwrap(schema.shape[key]) : undefined;
        return [key, field instanceof z.ZodObject && isObject(inner) ? dropNulls(inner, field) : inner];
      }),
  );
}

function unwrap(field: unknown): unknown {
  return field instanceof z.ZodOptional ? unwrap(field.unwrap()) : field;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
