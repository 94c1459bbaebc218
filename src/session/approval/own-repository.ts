import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { someEntriesInSync } from '../../files/folder-names.js';
import { readRegularFileSync } from '../../files/regular-file.js';

const maxConfigBytes = 100_000;
const maxEntries = 1_000;

/**
 * The root of the repository that contains the folder, or the folder itself if there is none. Undefined if git could
 * read another repository or other files: an archive can contain any `.git`.
 */
export function ownRepository(folder: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    // A folder with these is a repository by itself.
    if (existsSync(join(root, 'HEAD')) && existsSync(join(root, 'objects'))) return undefined;
    if (lstatSync(join(root, '.git'), { throwIfNoEntry: false }) !== undefined)
      return isPlain(join(root, '.git')) ? root : undefined;
    if (dirname(root) === root) return folder;
  }
}

/** Whether git finds its data in this folder only, and the files in the folder above it. */
function isPlain(gitFolder: string): boolean {
  try {
    const { entries, isAll } = someEntriesInSync(gitFolder, gitFolder, maxEntries);
    const config = readRegularFileSync(join(gitFolder, 'config'), maxConfigBytes);
    return (
      isAll &&
      lstatSync(gitFolder).isDirectory() &&
      !entries.some((entry) => entry.isSymbolicLink() || entry.name === 'commondir') &&
      !existsSync(join(gitFolder, 'objects', 'info', 'alternates')) &&
      !/worktree|include/i.test(config)
    );
  } catch {
    return false;
  }
}
