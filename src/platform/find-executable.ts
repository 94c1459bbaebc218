import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../core/paths.js';
import { realPathOfNearest, unknownPlace } from '../files/real-path.js';

export interface ExecutableSearch {
  readonly home: string;
  readonly searchPath: string | undefined;
  /** Folders whose files must not be used, even if they are on the search path. */
  readonly notIn?: readonly string[];
}

/**
 * Resolves an executable that the operator configures: an absolute path, `~/…`, or a bare name on the search path.
 * Ignores relative paths and relative entries of the search path, which would lead into the folder of a session, and
 * files that really lie in a folder of `notIn`, even if a link elsewhere points to them.
 */
export function findExecutable(
  name: string,
  { home, searchPath = '', notIn = [] }: ExecutableSearch,
): string | undefined {
  // In doubt, a link leads there.
  const foreign = notIn.length === 0 ? [] : [...notIn.map(realPathOfNearest), unknownPlace];
  const isOurs = (path: string): boolean => {
    // The name in the search path counts too: a link from a session's folder can be replaced.
    const places = [realPathOfNearest(path), join(realPathOfNearest(dirname(path)), basename(path))];
    return !places.some((place) => foreign.some((folder) => isInside(place, folder)));
  };
  const path = name.startsWith('~/') ? join(home, name.slice(2)) : name;
  if (isAbsolute(path)) return isOurs(path) ? path : undefined;
  if (/[\\/]/.test(path)) return undefined;
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isToolFolder(realPathOfNearest(folder)))
    .map((folder) => join(folder, name))
    .find((candidate) => isExecutable(candidate) && isOurs(candidate));
}

/** A repository brings the programs in this folder along. */
function isToolFolder(folder: string): boolean {
  return /[\\/]node_modules[\\/]\.bin$/.test(folder);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
