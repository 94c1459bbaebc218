import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../core/errors.js';
import { NotOwnError, ownershipProblem, type OwnershipProblem } from '../files/own-file.js';

const words: Readonly<Record<OwnershipProblem, (kind: 'file' | 'folder') => string>> = {
  'symbolic-link': () => 'is a symbolic link',
  'wrong-kind': (kind) => `is not a ${kind}`,
  'writable-by-others': () => 'is writable by other users',
  'other-owner': () => 'belongs to another user',
};

/** The folders that the server creates in it. */
const subfolders = [
  'sessions',
  'sessions/aliases',
  'sessions/events',
  'usage',
  'budgets',
  'locks',
  'launches',
  'audit',
];

/**
 * Records decide how sessions are resumed, so no other user may write them and no link may lead elsewhere. Called once,
 * before the first session.
 */
export function prepareStateFolder(path: string, userId = process.geteuid?.()): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refusal(path, `cannot be created (${messageOf(error)})`);
  }
  for (const folder of [path, ...subfolders.map((name) => join(path, name))]) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    const problem = stats && ownershipProblem(stats, 'folder', userId);
    if (problem !== undefined) throw refusal(folder, words[problem]('folder'));
  }
}

/** What callers learn about a file that cannot be used. */
export function unusableFile(path: string, error: unknown): AppError {
  return refusal(
    path,
    error instanceof NotOwnError ? words[error.problem]('file') : `cannot be used (${messageOf(error)})`,
  );
}

function refusal(path: string, problem: string): AppError {
  return new AppError('state_folder_unsafe', { path, problem });
}
