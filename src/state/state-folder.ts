import { lstatSync, mkdirSync } from 'node:fs';
import { AppError, messageOf } from '../core/errors.js';
import { privacyProblem, type PrivacyProblem } from '../files/private-file.js';

const words: Readonly<Record<PrivacyProblem, string>> = {
  'symbolic-link': 'is a symbolic link',
  'wrong-kind': 'is not a folder',
  'writable-by-others': 'is writable by other users',
};

/**
 * Records decide how sessions are resumed, so no other user may write them and no link may lead elsewhere. Called once,
 * before the first session.
 */
export function prepareStateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refusal(path, `cannot be created (${messageOf(error)})`);
  }
  const problem = privacyProblem(lstatSync(path), 'folder');
  if (problem !== undefined) throw refusal(path, words[problem]);
}

function refusal(path: string, problem: string): AppError {
  return new AppError('state_folder_unsafe', { path, problem });
}
