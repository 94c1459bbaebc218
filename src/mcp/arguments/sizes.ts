import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { alternatives } from './schema-parts.js';

/** Far more servers, agents and rules than a session has. Judging each takes up to a millisecond. */
const maxObjects = 1_000;

/** Refuses arguments that would take long to judge. What a field takes in any form does not count. */
export function refuseMany(args: unknown, schema: z.ZodObject): void {
  if (objectsIn(args, schema, maxObjects) < 0)
    throw new AppError('arguments_invalid', {
      problems: [`the call contains more than ${maxObjects} objects`],
    });
}

/** Returns how many objects and lists are left of those that may occur. Stops below zero. */
function objectsIn(value: unknown, field: unknown, room: number): number {
  if (room < 0 || typeof value !== 'object' || value === null) return room;
  const schemas = alternatives(field);
  if (schemas.some((schema) => schema instanceof z.ZodUnknown)) return room;
  let left = room - 1;
  for (const schema of schemas)
    for (const [inner, part] of partsOf(value, schema)) {
      left = objectsIn(inner, part, left);
      if (left < 0) return left;
    }
  return left;
}

/** The parts of a value, each with the field that judges it. */
function partsOf(value: object, schema: unknown): readonly (readonly [unknown, unknown])[] {
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((inner: unknown) => [inner, schema.element] as const);
  if (!isObject(value)) return [];
  if (schema instanceof z.ZodRecord)
    return Object.values(value).map((inner) => [inner, schema.valueType] as const);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).flatMap((key) =>
    Object.hasOwn(value, key) ? [[value[key], schema.shape[key]] as const] : [],
  );
}
