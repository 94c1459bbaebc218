import { join } from 'node:path';
import { AppError } from '../core/errors.js';
import { createOnce } from '../files/create-once.js';
import { isMissing, readRegularFileSync } from '../files/regular-file.js';
import { formatVersion } from './journal/line.js';
import { unusableFile } from './journal/unusable-file.js';

/** Far more than a number needs. A newer version may add to it. */
const maxBytes = 10_000;

/** Refuses a folder that a newer version has written, and changes nothing in it. */
export function refuseNewerFormat(stateDir: string): void {
  const written = /^\d+/.exec(readFormat(stateDir) ?? '')?.[0];
  if (Number(written ?? 0) > formatVersion) throw new AppError('state_newer');
}

/** Version 0.1 did not write this file. Its data is read, so its folder gets the current number. */
export function writeFormat(stateDir: string): void {
  try {
    if (readFormat(stateDir) === undefined) createOnce(pathIn(stateDir), `${formatVersion}\n`);
  } catch {
    // The disk is full or read-only: sessions report that, and the next server tries again.
  }
}

function readFormat(stateDir: string): string | undefined {
  const path = pathIn(stateDir);
  try {
    return readRegularFileSync(path, maxBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusableFile(path, error);
  }
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'format');
}
