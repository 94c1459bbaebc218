import { statSync, type BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import { AppError, messageOf } from '../../core/errors.js';
import { isInside } from '../../core/paths.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { keyFolders, refuseFolder, type FolderBounds } from '../../policy/folders.js';

/** The folders in which one principal may work. */
export interface TenantRoots {
  readonly principal: string;
  /** The setting that lists them, for error messages. */
  readonly place: string;
  readonly roots: readonly string[];
}

/** Folders of the service, in which no principal may work. Real paths. */
export type ServiceFolders = Pick<FolderBounds, 'home' | 'stateDir' | 'keyFolder' | 'claudeDir' | 'auditLog'>;

/**
 * The real paths of the folders of a principal. Resolved once, because a session that replaces a folder by a link could
 * move it into the folders of another. Throws a ConfigError if one is missing or contains files of the service.
 */
export function realRoots({ place, roots }: Omit<TenantRoots, 'principal'>, own: ServiceFolders): string[] {
  const keys = keyFolders.map((folder) => realPathOfNearest(join(own.home, folder)));
  return roots.map((root) => {
    if (statsOf(root)?.isDirectory() !== true)
      throw new ConfigError(`${place}: ${root} is not a folder. Create it, or correct the path.`);
    const real = realPathOfNearest(root);
    try {
      refuseFolder(place, real, { ...own, roots: [], trusted: [], listed: [] }, keys);
    } catch (error) {
      if (error instanceof AppError)
        throw new ConfigError(`${messageOf(error)}. Use a separate folder for this principal.`);
      throw error;
    }
    return real;
  });
}

/** Throws a ConfigError if two principals could work in the same folder. */
export function refuseSharedRoots(tenants: readonly TenantRoots[]): void {
  for (const [index, one] of tenants.entries())
    for (const other of tenants.slice(index + 1))
      for (const root of one.roots)
        for (const otherRoot of other.roots)
          if (overlap(root, otherRoot))
            throw new ConfigError(
              `${one.place} and ${other.place} overlap: ${root} and ${otherRoot}. Give ${one.principal} and ${other.principal} separate folders.`,
            );
}

/** A file that decides what principals may do, or that only one of them may use. */
export interface GuardedFile {
  /** The setting that names it, for error messages. */
  readonly place: string;
  readonly path: string;
}

/** Throws a ConfigError if a session could read or change one of the files without approval. */
export function refuseFilesInRoots(tenants: readonly TenantRoots[], files: readonly GuardedFile[]): void {
  for (const { place, path } of files)
    for (const { place: whose, roots } of tenants) {
      const root = roots.find((folder) => overlap(realPathOfNearest(path), folder));
      if (root !== undefined)
        throw new ConfigError(
          `${place}: ${path} must not be in a folder in which sessions work (${whose}: ${root}). Move the file.`,
        );
    }
}

/** Throws a ConfigError if a session could work in the folders that the service keeps for the users of its principals. */
export function refuseUsersFolder(tenants: readonly TenantRoots[], usersFolder: string): void {
  for (const { place, roots } of tenants)
    for (const root of roots)
      if (overlap(root, usersFolder))
        throw new ConfigError(
          `${place}: ${root} must not contain ${usersFolder} or lie in it, because the service keeps files of all principals there. Use a separate folder.`,
        );
}

/** Compares the folders themselves, because one folder can have several paths: by case, or by a second mount. */
function overlap(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one) || isBelow(one, other) || isBelow(other, one);
}

function isBelow(path: string, folder: string): boolean {
  const wanted = statsOf(folder);
  if (wanted === undefined) return false;
  const found = statsOf(path);
  if (found?.dev === wanted.dev && found.ino === wanted.ino) return true;
  const parent = dirname(path);
  return parent !== path && isBelow(parent, folder);
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
