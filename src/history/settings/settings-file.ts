import { constants } from 'node:fs';
import { AppError } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';
import { openRegularFile, readRegularFile, TooLongError } from '../../files/regular-file.js';

/** Far more than settings need. */
const maxBytes = 1024 * 1024;

/**
 * The content of a settings file; undefined when it is missing, unreadable or not JSON. Throws if it is too long: a
 * repository can contain one that would halt the server, and leaving it out would drop what it denies. `behalf` as for
 * `openRegularFile`.
 */
export async function readSettings(path: string, behalf = path): Promise<unknown> {
  try {
    return parseJson(await readRegularFile(openRegularFile(path, constants.O_RDONLY, behalf), maxBytes));
  } catch (error) {
    if (error instanceof TooLongError) throw new AppError('settings_too_long', { path, limit: maxBytes });
    return undefined;
  }
}
