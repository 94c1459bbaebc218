import { constants } from 'node:fs';
import { parseJson } from '../core/json.js';
import { openRegularFile, readOpened, readRegularFileSync } from './regular-file.js';

/** Far more than Claude Code's own state needs. */
const maxBytes = 64 * 1024 * 1024;

export interface ReadSettings {
  /** As for `openRegularFile`. */
  readonly behalf?: string;
  /** A longer file counts as missing. */
  readonly limitBytes?: number;
}

/**
 * Undefined when the file is missing, unreadable, too long or not JSON: readers treat all of them as an empty file.
 */
export async function readJsonFile(
  path: string,
  { behalf = path, limitBytes = maxBytes }: ReadSettings = {},
): Promise<unknown> {
  const text = await readOpened(openRegularFile(path, constants.O_RDONLY, behalf), limitBytes);
  return text === undefined ? undefined : parseJson(text);
}

/** The same for callers that must not yield. Meant for files that are read rarely. */
export function readJsonFileSync(path: string, limitBytes = maxBytes): unknown {
  try {
    return parseJson(readRegularFileSync(path, limitBytes));
  } catch {
    return undefined;
  }
}
