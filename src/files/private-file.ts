import { closeSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { withoutLinks, withoutWaiting } from './regular-file.js';

/** Why other users could change a file or folder. Callers supply the wording. */
export type PrivacyProblem = 'symbolic-link' | 'wrong-kind' | 'writable-by-others';

export class NotPrivateError extends Error {
  override readonly name = 'NotPrivateError';
  readonly problem: PrivacyProblem;

  constructor(path: string, problem: PrivacyProblem) {
    super(`${path}: ${problem}`);
    this.problem = problem;
  }
}

export interface PrivateFile {
  readonly descriptor: number;
  /** Group or others may read it; always false on Windows, which has no such bits. */
  readonly isReadableByOthers: boolean;
}

const writableByOthers = 0o022;
const readableByOthers = 0o044;

/**
 * Opens a file that other users must not be able to change or swap. Throws NotPrivateError or a system error. Takes the
 * flags of `open`. Files that it creates are readable by their owner only.
 */
export function openPrivateFile(path: string, flags: number): PrivateFile {
  const descriptor = openWithoutLinks(path, flags);
  // Checks the open file, not its name, so that the file cannot be swapped in between.
  const stats = fstatSync(descriptor);
  const problem = privacyProblem(stats, 'file');
  if (problem === undefined)
    return { descriptor, isReadableByOthers: (modeOf(stats) & readableByOthers) !== 0 };
  closeSync(descriptor);
  throw new NotPrivateError(path, problem);
}

/** Takes the stats of the name itself (lstat) or of the open file (fstat). */
export function privacyProblem(stats: Stats, kind: 'file' | 'folder'): PrivacyProblem | undefined {
  if (stats.isSymbolicLink()) return 'symbolic-link';
  if (!(kind === 'file' ? stats.isFile() : stats.isDirectory())) return 'wrong-kind';
  return (modeOf(stats) & writableByOthers) === 0 ? undefined : 'writable-by-others';
}

function openWithoutLinks(path: string, flags: number): number {
  // For Windows, which cannot refuse links.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new NotPrivateError(path, 'symbolic-link');
  try {
    return openSync(path, flags | withoutLinks | withoutWaiting, 0o600);
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    throw isLink ? new NotPrivateError(path, 'symbolic-link') : error;
  }
}

function modeOf({ mode }: Stats): number {
  return process.platform === 'win32' ? 0 : mode;
}
