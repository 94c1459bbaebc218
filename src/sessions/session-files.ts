import { resolve } from 'node:path';
import { isInside } from '../core/paths.js';
import { foldersOf } from '../core/options/place.js';
import { realPathOfNearest } from '../files/real-path.js';
import { isMissing, readRegularFile, TooLongError } from '../files/regular-file.js';
import { openSettledFile } from '../files/settled-file.js';

/** The text of a file now, or why it cannot be shown. */
export type FileText =
  | { readonly text: string }
  | { readonly problem: 'missing' | 'outside' | 'too_long' | 'binary' | 'unreadable' };

const maxBytes = 500_000;

/** Reads a file that a session changes, only inside the folders of the session. */
export async function readSessionFile(
  path: string,
  folders: Parameters<typeof foldersOf>[0] & { readonly from?: string | undefined },
): Promise<FileText> {
  const whole = resolve(folders.from ?? folders.cwd, path);
  const real = realPathOfNearest(whole);
  if (!foldersOf(folders).some((folder) => isInside(real, realPathOfNearest(folder))))
    return { problem: 'outside' };
  try {
    const text = await readRegularFile(openSettledFile(real, folders.cwd), maxBytes);
    return text.includes('\0') ? { problem: 'binary' } : { text };
  } catch (error) {
    if (isMissing(error)) return { problem: 'missing' };
    return { problem: error instanceof TooLongError ? 'too_long' : 'unreadable' };
  }
}
