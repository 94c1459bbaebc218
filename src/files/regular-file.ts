import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
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
    refuseOtherKind(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws if the file is longer than `maxBytes`. */
export async function readWhole(handle: FileHandle, path: string, maxBytes: number): Promise<string> {
  refuseLong(path, await handle.stat(), maxBytes);
  return decoded(await handle.readFile());
}

/** The text of a regular file. Throws for anything else, and if it is longer than `maxBytes`. */
export function readRegularFileSync(path: string, maxBytes: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    refuseOtherKind(path, stats);
    refuseLong(path, stats, maxBytes);
    return decoded(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Some programs on Windows begin a file with a byte order mark, or write UTF-16. Claude Code reads both. */
function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

function refuseOtherKind(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
}

function refuseLong(path: string, { size }: Stats, maxBytes: number): void {
  if (size > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
