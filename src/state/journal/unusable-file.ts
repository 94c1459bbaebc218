import { AppError, messageOf } from '../../core/errors.js';
import { NotOwnError, type OwnershipProblem } from '../../files/own-file.js';

export const ownershipWords: Readonly<Record<OwnershipProblem, (kind: 'file' | 'folder') => string>> = {
  'symbolic-link': () => 'is a symbolic link',
  'wrong-kind': (kind) => `is not a ${kind}`,
  'writable-by-others': () => 'is writable by other users',
  'other-owner': () => 'belongs to another user',
};

/** What callers learn about a file that cannot be used. */
export function unusableFile(path: string, error: unknown): AppError {
  return unusable(
    path,
    error instanceof NotOwnError
      ? ownershipWords[error.problem]('file')
      : `cannot be used (${messageOf(error)})`,
  );
}

/** What callers learn about a file or folder of ours. */
export function unusable(path: string, problem: string): AppError {
  return new AppError('state_folder_unsafe', { path, problem });
}
