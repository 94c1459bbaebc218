import { lstatSync, mkdirSync } from 'node:fs';
import { AppError } from '../core/errors.js';

const writableByOthers = 0o022;

/**
 * Records decide how sessions are resumed, so nobody else may write them, and no link may lead elsewhere. Done once,
 * before the first session.
 */
export function prepareStateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refusal(path, `cannot be made (${error instanceof Error ? error.message : String(error)})`);
  }
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw refusal(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw refusal(path, 'is not a folder');
  // Windows has no such bits.
  if (process.platform !== 'win32' && (stats.mode & writableByOthers) !== 0) {
    throw refusal(path, 'can be written by others');
  }
}

function refusal(path: string, problem: string): AppError {
  return new AppError('state_folder_unsafe', { path, problem });
}
