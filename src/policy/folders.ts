import { dirname, relative, isAbsolute, sep } from 'node:path';
import { AppError } from '../core/errors.js';

export interface FolderBounds {
  /** Real paths. */
  readonly home: string;
  readonly stateDir: string;
  /** Folders the operator has listed: a listed folder is never refused for what it is. */
  readonly listed: readonly string[];
}

/** Folders in which Claude could read or change far more than a project, unasked. */
export function refuseFolder(option: string, realPath: string, bounds: FolderBounds): void {
  const reason = refusalOf(realPath, bounds);
  if (reason === undefined) return;
  throw new AppError('PERMISSION_DENIED', `${option} ${realPath} is refused: it is ${reason}`, {
    hint: 'Pass the folder of a project as cwd. The operator can list others in CLAUDE_CODE_MCP_TRUSTED_ROOTS.',
  });
}

function refusalOf(path: string, { home, stateDir, listed }: FolderBounds): string | undefined {
  if (isInside(path, stateDir) || isInside(stateDir, path)) return 'where this server keeps its own files';
  if (listed.includes(path)) return undefined;
  if (dirname(path) === path) return 'the root of the file system';
  if (isInside(home, path)) return 'the home folder or above it';
  return undefined;
}

/** Whether `path` is `folder` or lies in it; by whole segments, so /a/bc is not inside /a/b. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
