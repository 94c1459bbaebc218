import { constants } from 'node:fs';
import { link, mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inodeOf, isContinued, sizeAndInode, tailAt, type Inode, type ReadPart } from '../../files/inode.js';
import { readLineBytes } from '../../files/lines.js';
import { moveFile } from '../../files/move-file.js';
import { openOwnFile } from '../../files/own-file.js';
import { isMissing } from '../../files/regular-file.js';
import { unusableFile } from './unusable-file.js';

const { O_APPEND, O_CREAT, O_RDWR } = constants;

/** Compaction keeps files far below this size. A longer file was not written by a server. */
const maxBytes = 64 * 1024 * 1024;
const newline = 0x0a;
/** Each attempt means that another server has replaced the file in between. */
const maxAttempts = 10;

export interface Appending {
  /** Waits until the lines would survive a loss of power, not only of the process. */
  readonly isDurable: boolean;
}

export interface Appended {
  /** The size of the file. */
  readonly bytes: number;
  /** Its size before; zero if there was no such file. */
  readonly before: number;
}

/** A file that is ready for more lines. */
export interface OpenLines {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly inode: Inode;
  /** What must come before the next line: a crash may have left half a line at the end. */
  readonly lead: '' | '\n';
}

/** Creates the file if there is none. */
export async function openLines(path: string): Promise<OpenLines> {
  const handle = await openToAppend(path);
  try {
    const { size, inode } = await sizeAndInode(handle);
    const lead = (await endsInNewline(handle, size)) ? '' : '\n';
    return { handle, bytes: size, inode, lead };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Appends complete lines. */
export async function appendLines(path: string, text: string, { isDurable }: Appending): Promise<Appended> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { handle, bytes, inode, lead } = await openLines(path);
    try {
      await handle.appendFile(lead + text);
      if (isDurable) await handle.datasync();
      if (isDurable && bytes === 0) await syncFolder(dirname(path));
      // Another server may have replaced the file meanwhile, without these lines.
      if ((await inodeOf(path)) === inode)
        return { bytes: bytes + Buffer.byteLength(lead + text), before: bytes };
    } finally {
      await handle.close();
    }
  }
  throw new Error(`${path} is replaced again and again`);
}

/**
 * Replaces a file with a shorter text that says the same as what was `read`. Only the server that runs a turn of the
 * session or holds its lock may do so. Others may add lines meanwhile; these are added to the new file. Returns its size.
 */
export async function replaceLines(path: string, text: string, read: ReadLines): Promise<number> {
  const temporary = `${path}.tmp`;
  const old = `${path}.old.tmp`;
  for (const left of [temporary, old]) await rm(left, { force: true });
  // Another name for what is replaced. An open file would do as well, but Windows replaces none.
  await link(path, old);
  try {
    await writeNew(temporary, text);
    await moveFile(temporary, path);
    await syncFolder(dirname(path));
    const added = await textAfter(old, read.end);
    if (added !== '') return (await appendLines(path, added, { isDurable: true })).bytes;
    return Buffer.byteLength(text);
  } finally {
    // On a full disk, the new file may be there in part.
    for (const left of [temporary, old]) await rm(left, { force: true });
  }
}

async function textAfter(path: string, start: number): Promise<string> {
  const handle = await openOwnFile(path);
  try {
    const { lines } = await readFrom(handle, start);
    return lines.map((line) => `${line}\n`).join('');
  } finally {
    await handle.close();
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const handle = await openOwnFile(path, O_CREAT | O_RDWR);
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** `end`: where the next read can begin, as long as the file is the same one. */
export interface ReadLines extends ReadPart {
  readonly lines: readonly string[];
  /** Where this read began: 0 unless it continued an earlier one. */
  readonly start: number;
  readonly inode: Inode;
}

/**
 * The complete lines of a file, or those after an earlier read of the same file; undefined if there is none. Throws for
 * a file that cannot be ours, because treating it as empty would forget what it limits.
 */
export async function readLines(path: string, before?: ReadLines): Promise<ReadLines | undefined> {
  const handle = await openToRead(path);
  if (handle === undefined) return undefined;
  try {
    const { size, inode } = await sizeAndInode(handle);
    if (size > maxBytes) throw unusableFile(path, new Error(`it is longer than ${maxBytes} bytes`));
    const isSame = before?.inode === inode && before.end <= size && (await isContinued(handle, before));
    const start = isSame ? before.end : 0;
    const { lines, end } = await readFrom(handle, start);
    return { lines, start, end, inode, tail: await tailAt(handle, end) };
  } finally {
    await handle.close();
  }
}

async function readFrom(handle: FileHandle, start: number): Promise<Pick<ReadLines, 'lines' | 'end'>> {
  const { size } = await handle.stat();
  const lines: string[] = [];
  let end = start;
  for await (const line of readLineBytes(handle, start, size)) {
    end = line.start + line.bytes.length + 1;
    lines.push(line.bytes.toString('utf8'));
  }
  return { lines, end };
}

async function openToAppend(path: string): Promise<FileHandle> {
  const flags = O_APPEND | O_CREAT | O_RDWR;
  return openOwnFile(path, flags).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return openOwnFile(path, flags);
  });
}

async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await openOwnFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusableFile(path, error);
  }
}

async function endsInNewline(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] === newline;
}

/** Without it, a new name may not survive a loss of power. Windows cannot open folders and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
