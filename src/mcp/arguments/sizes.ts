import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { alternatives, unwrapped } from './schema-parts.js';

/** Far more servers, agents and rules than a session has. Judging each takes up to a millisecond. */
const maxObjects = 1_000;

/** Far more variables and headers than a session has. Judging each takes a fifth of that. */
const maxNamed = 2_000;

interface Room {
  objects: number;
  named: number;
}

/** Refuses arguments that would take long to judge. What a field takes in any form does not count. */
export function refuseMany(args: unknown, schema: z.ZodObject): void {
  const room: Room = { objects: maxObjects, named: maxNamed };
  take(args, schema, room);
  if (room.objects < 0) throw tooMany(`more than ${maxObjects} objects`);
  if (room.named < 0) throw tooMany(`more than ${maxNamed} named values`);
}

function tooMany(what: string): AppError {
  return new AppError('arguments_invalid', { problems: [`the call contains ${what}`] });
}

/** Takes the room for the objects and lists in a value, and for all entries with names of the caller. Stops at the end. */
function take(value: unknown, field: unknown, room: Room): void {
  if (typeof value !== 'object' || value === null) return;
  const schemas = alternatives(field);
  if (schemas.some((schema) => schema instanceof z.ZodUnknown)) return;
  room.objects -= 1;
  for (const schema of schemas) {
    if (schema instanceof z.ZodRecord && !(unwrapped(schema.valueType) instanceof z.ZodUnknown))
      room.named -= Object.keys(value).length;
    for (const [inner, part] of partsOf(value, schema)) {
      if (room.objects < 0 || room.named < 0) return;
      take(inner, part, room);
    }
  }
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
