import { AppError, messageOf } from '../../core/errors.js';
import { NotOwnError, type OwnershipProblem } from '../../files/own-file.js';

export const ownershipWords: Readonly<Record<OwnershipProblem, (kind: 'file' | 'folder') => string>> = {
  'symbolic-link': () => 'is a symbolic link',
  'wrong-kind': (kind) => `is not a ${kind}`,
  'writable-by-others': () => 'is writable by other users',
  'other-owner': () => 'belongs to another user',
};

/** The same, from the error that opening the file threw. */
export function unusableFile(path: string, error: unknown): AppError {
  return unusable(
    path,
    error instanceof NotOwnError
      ? ownershipWords[error.problem]('file')
      : `cannot be used (${messageOf(error)})`,
  );
}

/** The error for a file or folder in the state folder that cannot be used. */
export function unusable(path: string, problem: string): AppError {
  return new AppError('state_folder_unsafe', { path, problem });
}
