import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

export const withoutLinks = O_NOFOLLOW;

/**
 * Opens a file that may have been replaced by anything. Throws unless it is a regular file. A plain `open` of a named
 * pipe waits for its other end in one of the few threads that all file access shares.
 */
export async function openRegularFile(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  const handle = await open(path, flags | O_NONBLOCK, 0o600);
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw new Error(`${path} is not a regular file`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws if the file is longer than `maxBytes`. */
export async function readWhole(handle: FileHandle, path: string, maxBytes: number): Promise<string> {
  const { size } = await handle.stat();
  if (size > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
  return handle.readFile('utf8');
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
