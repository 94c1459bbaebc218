import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

export const withoutLinks = O_NOFOLLOW;
/** Without it, opening a named pipe would wait for its other end. */
export const withoutWaiting = O_NONBLOCK;

/**
 * Opens a file that may have been replaced by anything. Throws unless it is a regular file. Waiting for the other end of
 * a named pipe would take one of the few threads that all file access shares.
 */
export async function openRegularFile(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  const handle = await open(path, flags | withoutWaiting, 0o600);
  try {
    refuseOtherKind(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The text of a file that is being opened. Undefined if that fails, or if it is longer than `maxBytes`. */
export async function readOpened(
  opening: Promise<FileHandle>,
  maxBytes: number,
): Promise<string | undefined> {
  const handle = await opening.catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    return size > maxBytes ? undefined : await handle.readFile('utf8');
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The text of a regular file. Throws for anything else, and if it is longer than `maxBytes`. */
export function readRegularFileSync(path: string, maxBytes: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | withoutWaiting);
  try {
    const stats = fstatSync(descriptor);
    refuseOtherKind(path, stats);
    if (stats.size > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function refuseOtherKind(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
