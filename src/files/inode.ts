import { stat, type FileHandle } from 'node:fs/promises';

/** A number that tells files apart. On Windows it needs all 64 bits: neighbours would be equal as plain numbers. */
export type Inode = bigint;

interface SizeAndInode {
  readonly size: number;
  readonly inode: Inode;
}

export async function sizeAndInode(handle: FileHandle): Promise<SizeAndInode> {
  const { size, ino } = await handle.stat({ bigint: true });
  return { size: Number(size), inode: ino };
}

/** Undefined if nothing exists at that path. */
export async function inodeOf(path: string): Promise<Inode | undefined> {
  return stat(path, { bigint: true }).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

const tailBytes = 256;

/** What was read of a file: up to where, and the bytes before that. */
export interface ReadPart {
  readonly end: number;
  readonly tail: Buffer;
}

/** Whether the file still begins with what was read. Its inode does not tell: systems use those of deleted files again. */
export async function isContinued(handle: FileHandle, { end, tail }: ReadPart): Promise<boolean> {
  return tail.equals(await tailAt(handle, end));
}

/** The last bytes before an offset. */
export async function tailAt(handle: FileHandle, end: number): Promise<Buffer> {
  const position = Math.max(0, end - tailBytes);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(end - position), position });
  return buffer.subarray(0, bytesRead);
}
