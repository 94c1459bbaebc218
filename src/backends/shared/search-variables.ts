import { lstatSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { EffectiveOptions } from '../../core/options/index.js';
import { isInside } from '../../core/paths.js';
import { withoutForeignEntries } from '../../core/search-lists.js';
import { LinkWalk, unknownPlace } from '../../files/real-path.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a session in an untrusted folder leads to no program of that folder. Claude Code runs `git` when it
 * starts, and `ls` without asking, wherever the PATH finds them.
 */
export function searchingElsewhere(
  environment: Variables,
  { cwd, untrustedFolders }: Pick<EffectiveOptions, 'cwd' | 'untrustedFolders'>,
): Variables {
  if (untrustedFolders === undefined) return environment;
  const walk = new LinkWalk();
  const real = (path: string): string => walk.resolve(path);
  // In doubt, a link leads there.
  const folders = [...untrustedFolders.map(real), unknownPlace];
  const isForeign = (entry: string): boolean =>
    // The name counts, too: a link in a folder of the session can be replaced.
    [real(entry), join(real(dirname(entry)), basename(entry))].some(
      (place) => folders.some((folder) => isInside(place, folder)) || isToolFolderAbove(place, cwd),
    );
  const exists = (path: string): boolean =>
    lstatSync(join(cwd, path), { throwIfNoEntry: false }) !== undefined;
  return withoutForeignEntries(environment, { isForeign, exists });
}

const toolFolder = join('node_modules', '.bin');

/** The programs of packages that npm has installed for this folder, in a folder above it. */
function isToolFolderAbove(place: string, cwd: string): boolean {
  return place.endsWith(`${sep}${toolFolder}`) && isInside(cwd, place.slice(0, -toolFolder.length));
}
