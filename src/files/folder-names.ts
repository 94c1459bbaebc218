import { closeSync, constants, openSync, readdirSync, type Dirent } from 'node:fs';
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

/** The same for callers that must not yield. `behalf` as for `openRegularFile`. */
export function entriesInSync(folder: string, behalf = folder): Dirent[] {
  if (!isGuarded()) return readdirSync(folder, { withFileTypes: true });
  const descriptor = openSync(folder, flags);
  try {
    refuseGuarded(behalf, descriptor);
    return readdirSync(byDescriptor(descriptor), { withFileTypes: true });
  } finally {
    closeSync(descriptor);
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
