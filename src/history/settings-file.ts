import { stat } from 'node:fs/promises';
import { AppError } from '../core/errors.js';
import { readJsonFile } from '../files/json-file.js';

/** Far more than settings need. */
const maxBytes = 1024 * 1024;

/**
 * The content of a settings file; undefined when it is missing, unreadable or not JSON. Throws if it is too long: a
 * repository can contain one that would halt the server, and leaving it out would drop what it denies.
 */
export async function readSettings(path: string): Promise<unknown> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && found.size > maxBytes)
    throw new AppError('settings_too_long', { path, limit: maxBytes });
  return readJsonFile(path, maxBytes);
}
