import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { moveFile } from './move-file.js';

/**
 * Replaces a whole file: readers find the old text or the new one, even after a crash. Without a mode, only the owner can
 * read it.
 */
export async function replaceFile(
  path: string,
  text: string,
  temporary = temporaryPathOf(path),
  mode?: number,
): Promise<void> {
  try {
    // wx: never writes through a link that an attacker placed there.
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    if (mode !== undefined) await chmod(temporary, mode);
    await moveFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The temporary name changes with each call. It means nothing to readers and would make every message unique.
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
    throw error;
  }
}

/** Ends in `.tmp`, so that readers of *.json or *.prom do not pick it up. */
function temporaryPathOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}
