import { constants } from 'node:fs';
import { lstat, readlink, stat, type FileHandle } from 'node:fs/promises';
import { realPath } from './real-path.js';
import { NotRegularError, openRegularFile, withoutLinks } from './regular-file.js';

/**
 * Opens the file at a real path that was judged before. Throws if it is no regular file, if a link has replaced it or a
 * folder above it, or if the user for whose folder `behalf` it is opened may not read it.
 */
export async function openSettledFile(path: string, behalf: string): Promise<FileHandle> {
  // By name first: opening a device can have effects.
  if (!(await lstat(path)).isFile()) throw new NotRegularError(path);
  const handle = await openRegularFile(path, constants.O_RDONLY | withoutLinks, behalf);
  try {
    if (!(await isAt(handle, path))) throw new Error(`${path} has been replaced`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Asks Linux where the open file is. Elsewhere, the path must still lead to the same file without a link. */
async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === path;
  const [is, named] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })]);
  return is.ino === named.ino && is.dev === named.dev && (await realPath(path)) === path;
}
