import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from '../core/paths.js';
import { realPathOfNearest } from '../files/real-path.js';

export interface ExecutableSearch {
  readonly home: string;
  readonly searchPath: string | undefined;
  /** Folders whose files must not be used, even if they are on the search path. */
  readonly notIn?: readonly string[];
}

/**
 * Resolves an executable that the operator configures: an absolute path, `~/…`, or a bare name on the search path.
 * Ignores relative paths and relative entries of the search path, which would lead into the folder of a session.
 */
export function findExecutable(
  name: string,
  { home, searchPath = '', notIn = [] }: ExecutableSearch,
): string | undefined {
  if (isAbsolute(name)) return name;
  if (name.startsWith('~/')) return join(home, name.slice(2));
  if (/[\\/]/.test(name)) return undefined;
  const foreign = notIn.map(realPathOfNearest);
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isTrusted(realPathOfNearest(folder), foreign))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isTrusted(folder: string, foreign: readonly string[]): boolean {
  return !/[\\/]node_modules[\\/]\.bin$/.test(folder) && !foreign.some((parent) => isInside(folder, parent));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
