import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../core/errors.js';
import { makeFolder, ownershipProblem } from '../files/own-file.js';
import { refuseNewerFormat, writeFormat } from './folder-format.js';
import { ownershipWords, unusable } from './journal/unusable-file.js';

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
 * Records decide how sessions are resumed, so no other user may write them and no link may lead elsewhere. Called
 * before the first session and before the audit log is opened.
 */
export function prepareStateFolder(path: string, userId = process.geteuid?.()): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw unusable(path, `cannot be created (${messageOf(error)})`);
  }
  for (const folder of [path, ...subfolders.map((name) => join(path, name))]) {
    const stats = statsIn(folder);
    const problem = stats && ownershipProblem(stats, 'folder', userId);
    if (problem !== undefined) throw unusable(folder, ownershipWords[problem]('folder'));
  }
  refuseNewerFormat(path);
  writeFormat(path);
}

/** Undefined if it does not exist. */
function statsIn(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(folder, `cannot be read (${messageOf(error)})`);
  }
}
