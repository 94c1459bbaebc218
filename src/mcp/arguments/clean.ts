import type * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { coerceArguments } from './coerce.js';
import { refuseMany } from './sizes.js';

/** Gemini adds this key to every call. */
const injectedKeys = new Set(['wait_for_previous']);

/** Drops keys that clients inject and fields that are not set, and reads values that have another form. */
export function cleanArguments(args: unknown, schema: z.ZodObject): Record<string, unknown> {
  const known = Object.entries(isObject(args) ? args : {}).filter(([key]) => !injectedKeys.has(key));
  refuseMany(args, schema);
  const cleaned = coerceArguments(Object.fromEntries(known), schema);
  refusePrototypes(cleaned, []);
  return cleaned;
}

/** Copying an object silently drops this key, so a different input would run than the one requested. */
function refusePrototypes(value: unknown, path: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') {
      throw new AppError('key_forbidden', { key, path });
    }
    path.push(key);
    refusePrototypes(inner, path);
    path.pop();
  }
}
