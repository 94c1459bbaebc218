import { dirname } from 'node:path';
import { AppError } from '../core/errors.js';
import { isInside } from '../core/paths.js';
import type { ParamsOf } from '../core/reasons/index.js';

export interface FolderBounds {
  /** Real paths. */
  readonly home: string;
  readonly stateDir: string;
  /** Where this server stores keys. */
  readonly keyFolder?: string | undefined;
  /** Where Claude Code stores its settings, credentials and transcripts. */
  readonly claudeDir: string;
  /** No session may work in a folder that contains it. */
  readonly auditLog?: string | undefined;
  /**
   * Folders in which sessions may work, including everything below; empty allows every folder that passes the other
   * checks.
   */
  readonly roots: readonly string[];
  /** Folders whose project settings may be loaded. A root is not trusted just because sessions may work in it. */
  readonly trusted: readonly string[];
  /** Folders that the operator listed: these are never refused as too wide. */
  readonly listed: readonly string[];
}

/** Refuses folders in which Claude could read or change far more than a project without asking. */
export function refuseFolder(option: string, realPath: string, bounds: FolderBounds): void {
  const { home, stateDir, keyFolder = stateDir, claudeDir, auditLog, listed } = bounds;
  if (!isWithinRoots(realPath, bounds)) {
    throw new AppError('folder_outside_roots', { option, path: realPath });
  }
  const isListed = listed.includes(realPath);
  if (!isListed && dirname(realPath) === realPath)
    throw refusal(option, realPath, 'the root of the file system');
  if (!isListed && isInside(home, realPath))
    throw refusal(option, realPath, 'the home folder or a parent of it');
  if (!isListed && (isInside(realPath, claudeDir) || isInside(claudeDir, realPath))) {
    throw refusal(option, realPath, 'where Claude Code keeps its settings and credentials');
  }
  if (auditLog !== undefined && isInside(auditLog, realPath)) {
    throw new AppError('folder_has_audit_log', { option, path: realPath });
  }
  if ([stateDir, keyFolder].some((own) => isInside(realPath, own) || isInside(own, realPath))) {
    throw new AppError('folder_has_own_files', { option, path: realPath });
  }
}

/** Compares real paths on both sides, so that no link leads out. */
export function isWithinRoots(realPath: string, { roots }: Pick<FolderBounds, 'roots'>): boolean {
  return roots.length === 0 || roots.some((root) => isInside(realPath, root));
}

function refusal(option: string, realPath: string, what: ParamsOf<'folder_too_wide'>['what']): AppError {
  return new AppError('folder_too_wide', { option, path: realPath, what });
}
