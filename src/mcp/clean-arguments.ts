import * as z from 'zod';
import { AppError } from '../core/errors.js';
import { isObject, type JsonObject } from '../core/json.js';

/** Gemini adds this key to every call. */
const injectedKeys = new Set(['wait_for_previous']);

/** Drops `null`, which models send for "not set", unless the field gives it a meaning, and keys that clients inject. */
export function cleanArguments(args: unknown, schema: z.ZodObject): Record<string, unknown> {
  const known = isObject(args) ? args : {};
  refusePrototypes(known, []);
  return dropNulls(
    Object.fromEntries(Object.entries(known).filter(([key]) => !injectedKeys.has(key))),
    schema,
  );
}

/** Copying an object silently drops this key, so a different input would run than the one requested. */
function refusePrototypes(value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') {
      throw new AppError('key_forbidden', { key, path });
    }
    refusePrototypes(inner, [...path, key]);
  }
}

/** Recurses only into keys that our schema names: a null inside the input of a Claude Code tool is a value. */
function dropNulls(value: JsonObject, schema: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null || takesNull(schema, key))
      .map(([key, inner]) => {
        const field = Object.hasOwn(schema.shape, key) ? objectIn(schema.shape[key]) : undefined;
        return [key, field !== undefined && isObject(inner) ? dropNulls(inner, field) : inner];
      }),
  );
}

function takesNull({ shape }: z.ZodObject, key: string): boolean {
  return Object.hasOwn(shape, key) && shape[key] instanceof z.ZodNullable;
}

/** The object schema of a field, if it accepts an object. */
function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return objectIn(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.map(objectIn).find((option) => option !== undefined);
  return field instanceof z.ZodObject ? field : undefined;
}
