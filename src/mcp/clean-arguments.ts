import * as z from 'zod';
import { AppError } from '../core/errors.js';
import { isObject, type JsonObject } from '../core/json.js';

/** Some clients add this to every call; it means nothing to us. */
const injectedKeys = new Set(['wait_for_previous']);

/** Drops what models and clients add without meaning it: `null` for "not given", and injected keys. */
export function cleanArguments(args: unknown, schema: z.ZodObject): Record<string, unknown> {
  const known = isObject(args) ? args : {};
  refusePrototypes(known, []);
  return dropNulls(
    Object.fromEntries(Object.entries(known).filter(([key]) => !injectedKeys.has(key))),
    schema,
  );
}

/** Copies of an object lose this key without a word, and what was asked for is not what is done. */
function refusePrototypes(value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') {
      throw new AppError(
        'INVALID_ARGUMENT',
        `unknown key "__proto__"${path.length === 0 ? '' : ` in ${path.join('.')}`}`,
        {
          hint: 'Leave it out.',
        },
      );
    }
    refusePrototypes(inner, [...path, key]);
  }
}

/** Only where our own schema names the keys: a null inside a tool's input means null. */
function dropNulls(value: JsonObject, schema: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => {
        const field = Object.hasOwn(schema.shape, key) ? objectIn(schema.shape[key]) : undefined;
        return [key, field !== undefined && isObject(inner) ? dropNulls(inner, field) : inner];
      }),
  );
}

/** The object schema of a field, where an object is what it takes, or one of the things it takes. */
function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodOptional) return objectIn(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.map(objectIn).find((option) => option !== undefined);
  return field instanceof z.ZodObject ? field : undefined;
}
