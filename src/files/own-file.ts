import { constants, existsSync, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privacyProblem, type PrivacyProblem } from './private-file.js';
import { isMissing, withoutLinks, withoutWaiting } from './regular-file.js';

/** Why a file or folder that this server writes cannot be trusted. Callers supply the wording. */
export type OwnershipProblem = PrivacyProblem | 'other-owner';

export class NotOwnError extends Error {
  override readonly name = 'NotOwnError';
  readonly problem: OwnershipProblem;

  constructor(path: string, problem: OwnershipProblem) {
    super(`${path}: ${problem}`);
    this.problem = problem;
  }
}

/** Opens a file of this server that no other user can change. Throws NotOwnError or a system error. */
export async function openOwnFile(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  // By name first: opening a device can have effects, and Windows cannot refuse links.
  const named = await lstat(path).catch(() => undefined);
  if (named !== undefined) refuseForeign(path, named);
  const handle = await open(path, flags | withoutLinks | withoutWaiting, 0o600);
  try {
    // It may have been swapped since.
    refuseForeign(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The text of a file of this server. Throws NotOwnError or a system error, and if it is longer than `maxBytes`. */
export async function readOwnFile(path: string, maxBytes: number): Promise<string> {
  const handle = await openOwnFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new Error(`longer than ${maxBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder for this user only, and the folders above it. The `recursive` of Node never returns where the system
 * reports a missing file although the parent exists, as below `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(path);
    if (isMissing(error) && !existsSync(parent) && parent !== path) {
      makeFolder(parent);
      makeFolder(path);
    } else if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/**
 * Changes whenever the file, its mode or its owner does. Empty if it does not exist. Synchronous, because every request
 * of a service asks: a thread of the pool costs more than the call itself, and may be waiting for a slow disk.
 */
export function versionOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return '';
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs].join('.');
}

/** An owner can change the mode at any time. Windows has no numeric owners. */
export function ownershipProblem(
  stats: Stats,
  kind: 'file' | 'folder',
  userId = process.geteuid?.(),
): OwnershipProblem | undefined {
  const isOurs = userId === undefined || stats.uid === userId || stats.uid === 0;
  return privacyProblem(stats, kind) ?? (isOurs ? undefined : 'other-owner');
}

function refuseForeign(path: string, stats: Stats): void {
  const problem = ownershipProblem(stats, 'file');
  if (problem !== undefined) throw new NotOwnError(path, problem);
}
