import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { refuseGuarded } from './file-guard.js';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

export const withoutLinks = O_NOFOLLOW;
/** Without it, opening a named pipe would wait for its other end. */
export const withoutWaiting = O_NONBLOCK;

/**
 * Opens a file that may have been replaced by anything. Throws unless it is a regular file. Waiting for the other end of
 * a named pipe would take one of the few threads that all file access shares. If a file names the path, `behalf` is the
 * folder of that file: its user must be allowed to read what the name leads to.
 */
export async function openRegularFile(
  path: string,
  flags: number = constants.O_RDONLY,
  behalf = path,
): Promise<FileHandle> {
  const handle = await open(path, flags | withoutWaiting, 0o600);
  try {
    refuseOtherKind(path, await handle.stat());
    refuseGuarded(behalf, handle.fd);
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
  return readRegularFile(opening, maxBytes).catch(() => undefined);
}

/** The same, but throws if it fails: a TooLongError for a file that is longer. */
export async function readRegularFile(opening: Promise<FileHandle>, maxBytes: number): Promise<string> {
  const handle = await opening;
  try {
    return decoded(await readBytes(handle, maxBytes));
  } finally {
    await handle.close();
  }
}

/** All bytes of an open file. Throws a TooLongError if there are more than `maxBytes`. */
export async function readBytes(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const content = new BoundedBytes(maxBytes, await handle.stat());
  for (let chunk = content.next(); chunk !== undefined; chunk = content.next())
    content.add(chunk, (await handle.read(chunk)).bytesRead);
  return content.bytes;
}

/** The text of a regular file. Throws for anything else, and a TooLongError if it is longer than `maxBytes`. */
export function readRegularFileSync(path: string, maxBytes: number): string {
  return withRegularFileSync(path, (descriptor, stats) => {
    const content = new BoundedBytes(maxBytes, stats);
    for (let chunk = content.next(); chunk !== undefined; chunk = content.next())
      content.add(chunk, readSync(descriptor, chunk));
    return decoded(content.bytes);
  });
}

export interface FileHead {
  readonly text: string;
  readonly bytes: number;
  /** Whether the file has no more. */
  readonly isWhole: boolean;
}

/** The beginning of a regular file, of at most `maxBytes`. Throws for anything else. */
export function readHeadSync(path: string, maxBytes: number): FileHead {
  return withRegularFileSync(path, (descriptor) => {
    const buffer = Buffer.allocUnsafe(maxBytes + 1);
    let length = 0;
    for (let count = 1; count > 0 && length <= maxBytes; length += count)
      count = readSync(descriptor, buffer, length, buffer.length - length, null);
    const bytes = Math.min(length, maxBytes);
    return { text: decoded(buffer.subarray(0, bytes)), bytes, isWhole: length <= maxBytes };
  });
}

function withRegularFileSync<T>(path: string, use: (descriptor: number, stats: Stats) => T): T {
  const descriptor = openSync(path, constants.O_RDONLY | withoutWaiting);
  try {
    const stats = fstatSync(descriptor);
    refuseOtherKind(path, stats);
    refuseGuarded(path, descriptor);
    return use(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

const chunkBytes = 65_536;

export class TooLongError extends Error {
  override readonly name = 'TooLongError';

  constructor(maxBytes: number) {
    super(`The file is longer than ${maxBytes} bytes`);
  }
}

/** A folder, a device, a pipe or a socket. */
export class NotRegularError extends Error {
  override readonly name = 'NotRegularError';

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

/** Collects what is read, up to a limit. The size of a file may be wrong: files of /proc have none. */
class BoundedBytes {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  #total = 0;
  #isComplete = false;

  constructor(maxBytes: number, { size }: Stats) {
    this.#maxBytes = maxBytes;
    if (size > maxBytes) throw new TooLongError(maxBytes);
  }

  /** Where the next bytes go; undefined when nothing more is to be read. */
  next(): Buffer | undefined {
    return this.#isComplete || this.#total > this.#maxBytes ? undefined : Buffer.allocUnsafe(chunkBytes);
  }

  add(chunk: Buffer, count: number): void {
    this.#isComplete = count === 0;
    this.#total += count;
    this.#chunks.push(chunk.subarray(0, count));
  }

  /** Throws if there was more than the limit. */
  get bytes(): Buffer {
    if (!this.#isComplete) throw new TooLongError(this.#maxBytes);
    return Buffer.concat(this.#chunks);
  }
}

/** Some programs on Windows begin a file with a byte order mark, or write UTF-16. Claude Code reads both. */
function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

function refuseOtherKind(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new NotRegularError(path);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
