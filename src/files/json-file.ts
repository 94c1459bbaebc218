import { readFile } from 'node:fs/promises';

/** The parsed file, or undefined when it is missing, unreadable or not JSON: each means "says nothing". */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return parseJson(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Follows own keys only, so that `constructor` or `__proto__` in a path finds nothing that was not written. */
export function ownValue(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, key)?.value;
  }
  return found;
}
