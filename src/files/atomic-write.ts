import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file as a whole: a reader, or a crash, finds the old text or the new one. Only its owner may read it. */
export async function replaceFile(
  path: string,
  text: string,
  temporary = temporaryPathOf(path),
): Promise<void> {
  try {
    // wx: never writes through a link that an attacker placed there.
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The temporary name would mean nothing to a reader, and would make every message a new one.
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
    throw error;
  }
}

/** Ends in `.tmp`, so that readers of *.json or *.prom do not pick it up. */
function temporaryPathOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}
