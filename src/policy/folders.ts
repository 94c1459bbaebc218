import { dirname, join } from 'node:path';
import { AppError } from '../core/errors.js';
import { isInside } from '../core/paths.js';
import type { ParamsOf } from '../core/reasons/index.js';
import { secondNames } from './gate/second-names.js';

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

/** In the home folder: where programs keep keys and passwords. */
export const keyFolders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.local/share/keyrings',
  'Library/Keychains',
];

/** Files here are no files: `/proc/1/environ` is the environment of a process. Programs build in folders of `/dev/shm`. */
const systemFolder = /^\/(?:proc|sys|dev(?!\/shm\/.))(?:\/|$)/;

/**
 * Refuses folders in which Claude could read or change far more than a project without asking. `realKeyFolders`: where
 * the key folders are at this moment, because they may be links.
 */
export function refuseFolder(
  option: string,
  realPath: string,
  bounds: FolderBounds,
  realKeyFolders: readonly string[],
): void {
  const { stateDir, keyFolder = stateDir, auditLog, listed, roots } = bounds;
  if (!isWithinRoots(realPath, bounds)) {
    throw new AppError('folder_outside_roots', { option, path: realPath, roots });
  }
  const what = listed.includes(realPath) ? undefined : widthOf(realPath, bounds, realKeyFolders);
  if (what !== undefined) throw new AppError('folder_too_wide', { option, path: realPath, what });
  if (auditLog !== undefined && isInside(auditLog, realPath)) {
    throw new AppError('folder_has_audit_log', { option, path: realPath });
  }
  if ([stateDir, keyFolder].some((own) => overlap(realPath, own))) {
    throw new AppError('folder_has_own_files', { option, path: realPath });
  }
}

/** What makes a folder more than a project; undefined if nothing does. */
function widthOf(
  realPath: string,
  { home, claudeDir }: FolderBounds,
  realKeyFolders: readonly string[],
): ParamsOf<'folder_too_wide'>['what'] | undefined {
  if (dirname(realPath) === realPath) return 'the root of the file system';
  if (systemFolder.test(realPath)) return 'where the system shows its processes and devices';
  if (secondNames.test(realPath)) return 'where the system has a second name for every file';
  if (isInside(home, realPath)) return 'the home folder or a parent of it';
  if (overlap(realPath, claudeDir)) return 'where Claude Code keeps its settings and credentials';
  const keys = [...keyFolders.map((folder) => join(home, folder)), ...realKeyFolders];
  return keys.some((folder) => overlap(realPath, folder))
    ? 'where programs keep keys and passwords'
    : undefined;
}

/** Whether a file is none of a project, even if a session works in a folder around it that the operator listed. */
export function isProtectedFile(
  realPath: string,
  { home, claudeDir, stateDir, keyFolder = stateDir, auditLog = stateDir }: FolderBounds,
  realKeyFolders: readonly string[],
): boolean {
  const keys = [...keyFolders.map((folder) => join(home, folder)), ...realKeyFolders];
  const closed = [claudeDir, stateDir, keyFolder, auditLog, ...keys];
  const isOfSystem = systemFolder.test(realPath) || secondNames.test(realPath);
  return isOfSystem || closed.some((folder) => isInside(realPath, folder));
}

function overlap(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one);
}

/** Compares real paths on both sides, so that no link leads out. */
export function isWithinRoots(realPath: string, { roots }: Pick<FolderBounds, 'roots'>): boolean {
  return roots.length === 0 || roots.some((root) => isInside(realPath, root));
}
