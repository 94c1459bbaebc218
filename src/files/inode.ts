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
