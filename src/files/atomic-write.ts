import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file as a whole: a reader, or a crash, finds the old text or the new one. Only its owner may read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // The ending keeps readers of *.json or *.prom away from it.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // wx: never writes through a link that somebody has put there.
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The temporary name would mean nothing to a reader, and would make every message a new one.
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
    throw error;
  }
}
