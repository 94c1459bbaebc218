import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export interface ExecutableSearch {
  readonly home: string;
  readonly searchPath: string | undefined;
}

/**
 * The absolute path of an executable that the operator names: absolute, below the home folder as `~/…`, or a bare
 * name on the search path. Undefined for anything else: a relative path, or a relative entry of the search path,
 * would mean a file of whatever folder a session works in.
 */
export function findExecutable(
  name: string,
  { home, searchPath = '' }: ExecutableSearch,
): string | undefined {
  if (isAbsolute(name)) return name;
  if (name.startsWith('~/')) return join(home, name.slice(2));
  if (/[\\/]/.test(name)) return undefined;
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/node_modules[\\/]\.bin$/.test(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
