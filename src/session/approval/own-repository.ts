import { existsSync, lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { LinkWalk } from '../../files/real-path.js';
import { readRegularFileSync } from '../../files/regular-file.js';
import { linksBelow } from './links-below.js';

const maxConfigBytes = 100_000;
const maxHeadBytes = 1_000;

/** Without it, git looks for a repository in the folders above. */
const validHead = /^(?:ref:\s*refs\/|[\da-f]{40})/;

/**
 * Settings with which git reads other files and shows what is in them. It prints words of a file of attributes that it
 * does not understand, and a submodule can have its files anywhere.
 */
const farSettings = /worktree|include|submodule|attributesfile|mailmap/i;

/** Their links lead to programs, which git does not show. */
const programs: ReadonlySet<string> = new Set(['hooks']);

/**
 * The root of the repository that contains the folder, or the folder itself if there is none. Undefined if git could
 * read another repository or other files: an archive can contain any `.git`.
 */
export function ownRepository(folder: string): string | undefined {
  try {
    return rootAround(folder);
  } catch {
    return undefined;
  }
}

function rootAround(folder: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    // A folder with these is a repository by itself. Git accepts a link that leads nowhere.
    if (statsOf(join(root, 'HEAD')) !== undefined && statsOf(join(root, 'objects')) !== undefined)
      return undefined;
    if (statsOf(join(root, '.git')) !== undefined) return isPlain(join(root, '.git')) ? root : undefined;
    if (dirname(root) === root) return folder;
  }
}

/** Whether git finds its data in this folder only, and the files in the folder above it. */
function isPlain(gitFolder: string): boolean {
  return (
    ['', 'objects', 'refs'].every((name) => statsOf(join(gitFolder, name))?.isDirectory() === true) &&
    validHead.test(readRegularFileSync(join(gitFolder, 'HEAD'), maxHeadBytes)) &&
    !farSettings.test(readRegularFileSync(join(gitFolder, 'config'), maxConfigBytes)) &&
    !existsSync(join(gitFolder, 'commondir')) &&
    !existsSync(join(gitFolder, 'objects', 'info', 'alternates')) &&
    hasNoLinks(gitFolder)
  );
}

function hasNoLinks(gitFolder: string): boolean {
  const { links, isComplete } = linksBelow([gitFolder], gitFolder, new LinkWalk(), programs);
  return isComplete && links.length === 0;
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
