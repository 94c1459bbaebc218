import { isObject } from '../core/json.js';

/** Whether a value is surely valid. A check that fails costs time only: the SDK then decides. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';

export const isFlag: Check = (value) => typeof value === 'boolean';

export const isNumberOrText: Check = (value) => typeof value === 'string' || Number.isSafeInteger(value);

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object with these members and no others. */
export function membersOf(
  optional: Readonly<Record<string, Check>>,
  required: Readonly<Record<string, Check>> = {},
): Check {
  const checks = new Map(Object.entries({ ...optional, ...required }));
  const needed = Object.keys(required);
  return (value) =>
    isObject(value) &&
    needed.every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, member]) => checks.get(key)?.(member) === true);
}

/** An object with any names whose values pass the check. */
export function recordOf(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every(check);
}

const deepest = 8;

/** A JSON object, not too deep. */
export const isJsonObject: Check = (value) => isObject(value) && isPlain(value, deepest);

function isPlain(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1));
  if (isObject(value)) return Object.values(value).every((member) => isPlain(member, depth - 1));
  return value !== null;
}
