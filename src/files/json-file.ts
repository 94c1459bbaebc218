import { readFile } from 'node:fs/promises';
import { parseJson } from '../core/json.js';

/** Undefined when the file is missing, unreadable or not JSON: readers treat all three as an empty file. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseJson(text);
}
