import { fstatSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../core/paths.js';
import type { SystemUser } from '../core/processes.js';
import type { FileGuard } from './file-guard.js';

/** A folder whose content a user of the system writes. A real path. */
export interface UserFolder {
  readonly folder: string;
  readonly user: SystemUser;
}

const read = 0o4;
const search = 0o1;

/**
 * Lets the service read in the folders of a user only what this user may read, wherever links lead. Its own files are
 * not checked. Any other file must be readable by everyone.
 */
export function userGuard(folders: readonly UserFolder[], own: readonly string[]): FileGuard {
  return (asked, descriptor) => {
    const user = folders.find(({ folder }) => isInside(asked, folder))?.user;
    if (user === undefined && own.some((folder) => isInside(asked, folder))) return;
    if (!mayRead(descriptor, user)) throw new Error(`${asked}: the user of these sessions may not read it`);
  };
}

/** Whether a user, or everyone, may read an open file or folder. Linux only. */
function mayRead(descriptor: number, user: SystemUser | undefined): boolean {
  const stats = fstatSync(descriptor);
  if (user !== undefined && stats.uid === user.uid) return true;
  if (!isPermitted(stats, read, user)) return false;
  // Of the open file, not of its name, which may be replaced by a link at any time.
  const path = readlinkSync(`/proc/self/fd/${descriptor}`);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined || !isPermitted(found, search, user)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function isPermitted({ mode, uid, gid }: Stats, permission: number, user: SystemUser | undefined): boolean {
  if (uid === user?.uid) return (mode & (permission << 6)) !== 0;
  if (gid === user?.gid) return (mode & (permission << 3)) !== 0;
  return (mode & permission) !== 0;
}
