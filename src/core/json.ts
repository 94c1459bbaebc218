import { hasTooManyValues } from './text/json-size.js';

/** A JSON object whose keys have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More than any file or message has. Parsing ten times as many takes seconds, and gigabytes of memory. */
const maxValues = 500_000;

/** Returns undefined if the text is not JSON, or has so many values that parsing would stop everything else. */
export function parseJson(text: string): unknown {
  if (hasTooManyValues(text, maxValues)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not a JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Follows own keys only, so that `constructor` and `__proto__` find nothing that the file did not contain. */
export function ownValue(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, key)?.value;
  }
  return found;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
