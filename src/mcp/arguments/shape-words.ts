import * as z from 'zod';
import { choicesOf, unwrapped } from './schema-parts.js';

const maxDepth = 2;

/** The values that a schema accepts: `a list of text`, `{type: "preset", append?: text}`. */
export function shapeWords(field: unknown, depth = 0): string {
  const schema = unwrapped(field);
  const choices = choicesOf(schema);
  if (choices.length > 0) return orList(choices.map((choice) => JSON.stringify(choice)));
  if (schema instanceof z.ZodUnion)
    return orList([...new Set(schema.options.map((option) => shapeWords(option, depth)))]);
  if (schema instanceof z.ZodNumber) return numberWords(schema);
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodArray) return listWords(schema.element, depth);
  if (schema instanceof z.ZodObject) return depth > maxDepth ? 'an object' : objectWords(schema, depth);
  if (schema instanceof z.ZodRecord) return `{name: ${shapeWords(schema.valueType, depth + 1)}}`;
  return schema instanceof z.ZodType && schema.def.type === 'string' ? 'text' : 'a value';
}

/** `"a", "b" or "c"`. */
function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  const others = words.slice(0, -1);
  return others.length === 0 ? last : `${others.join(', ')} or ${last}`;
}

function listWords(element: unknown, depth: number): string {
  const inner = shapeWords(element, depth + 1);
  return inner === 'text' ? 'a list of texts such as ["one", "two"]' : `a list [${inner}]`;
}

function objectWords({ shape }: z.ZodObject, depth: number): string {
  const fields = Object.entries(shape).map(([key, field]) => {
    const isOptional = field instanceof z.ZodType && field.safeParse(undefined).success;
    return isOptional ? `${key}?` : `${key}: ${shapeWords(field, depth + 1)}`;
  });
  return `{${fields.join(', ')}}`;
}

/** Zod reports the limits of a safe integer if the schema sets none. */
function numberWords({ minValue, maxValue, isInt, def }: z.ZodNumber): string {
  const what = isInt ? 'a whole number' : 'a number';
  const low = minValue !== null && minValue > Number.MIN_SAFE_INTEGER ? minValue : undefined;
  const high = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? maxValue : undefined;
  if (low === undefined) return high === undefined ? what : `${what} up to ${high}`;
  const isPositive = (def.checks ?? []).some((check) => isExclusive(check._zod.def));
  const from = isPositive ? `above ${low}` : `from ${low}`;
  return high === undefined ? `${what} ${from}` : `${what} ${from} ${isPositive ? 'and up ' : ''}to ${high}`;
}

function isExclusive(check: object): boolean {
  return 'check' in check && check.check === 'greater_than' && 'inclusive' in check && !check.inclusive;
}
