import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from '../core/paths.js';
import { realPathOfNearest } from '../files/real-path.js';

export interface ExecutableSearch {
  readonly home: string;
  readonly searchPath: string | undefined;
  /** Folders whose files are not the operator's choice, though the search path may lead there. */
  readonly notIn?: readonly string[];
}

/**
 * The absolute path of an executable that the operator names: absolute, below the home folder as `~/…`, or a bare
 * name on the search path. Undefined for anything else: a relative path, or a relative entry of the search path,
 * would mean a file of whatever folder a session works in.
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
