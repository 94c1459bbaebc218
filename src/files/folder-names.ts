import { closeSync, constants, opendirSync, openSync, type Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { isGuarded, refuseGuarded } from './file-guard.js';

// Windows has no such flag, and no guard.
const { O_DIRECTORY = 0 } = constants as Partial<typeof constants>;
const flags = constants.O_RDONLY | O_DIRECTORY;

/** What a folder contains, which may have been replaced by a link. Throws if it cannot be listed. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  if (!isGuarded()) return readdir(folder, { withFileTypes: true });
  const handle = await open(folder, flags);
  try {
    refuseGuarded(folder, handle.fd);
    return await readdir(byDescriptor(handle.fd), { withFileTypes: true });
  } finally {
    await handle.close();
  }
}

export interface SomeEntries {
  readonly entries: readonly Dirent[];
  readonly isAll: boolean;
}

/**
 * The same for callers that must not yield. A folder can have millions of entries, so only as many as these are read.
 * `behalf` as for `openRegularFile`.
 */
export function someEntriesInSync(folder: string, behalf: string, most: number): SomeEntries {
  if (!isGuarded()) return firstEntries(folder, most);
  const descriptor = openSync(folder, flags);
  try {
    refuseGuarded(behalf, descriptor);
    return firstEntries(byDescriptor(descriptor), most);
  } finally {
    closeSync(descriptor);
  }
}

function firstEntries(folder: string, most: number): SomeEntries {
  const directory = opendirSync(folder, { bufferSize: 512 });
  try {
    const entries: Dirent[] = [];
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entries.length >= most) return { entries, isAll: false };
      entries.push(entry);
    }
    return { entries, isAll: true };
  } finally {
    directory.closeSync();
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Lists the folder that was checked, even if its name means another one now. */
function byDescriptor(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
