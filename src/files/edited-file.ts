/** Files of other programs that a person wants this server to change. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, open, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './atomic-write.js';
import { makeFolder } from './own-file.js';
import { isMissing, withoutLinks, withoutWaiting } from './regular-file.js';

/** Why a file is not changed. Callers supply the wording. */
export type EditProblem =
  | 'symbolic-link'
  | 'several-names'
  | 'wrong-kind'
  | 'other-owner'
  | 'read-only'
  | 'folder-read-only'
  | 'not-text'
  | 'too-long'
  | 'changed-meanwhile';

export class NotEditableError extends Error {
  override readonly name = 'NotEditableError';
  readonly problem: EditProblem;
  /** The target of a symbolic link, or the folder that cannot be written. */
  readonly detail: string | undefined;

  constructor(path: string, problem: EditProblem, detail?: string) {
    super(`${path}: ${problem}`);
    this.problem = problem;
    this.detail = detail;
  }
}

/** Far more than a configuration needs. Claude Code keeps its state in the same file. */
const maxBytes = 64 * 1024 * 1024;

export interface EditableFile {
  readonly text: string;
  readonly mode: number;
}

/** Undefined if the file does not exist but can be created. Throws a NotEditableError or a system error. */
export async function readEditable(path: string): Promise<EditableFile | undefined> {
  const named = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (named === undefined) {
    await refuseReadOnlyFolder(path);
    return undefined;
  }
  if (named.isSymbolicLink()) throw new NotEditableError(path, 'symbolic-link', await readlink(path));
  refuse(path, named);
  await access(path, constants.W_OK).catch(() => {
    throw new NotEditableError(path, 'read-only');
  });
  await refuseReadOnlyFolder(path);
  const handle = await open(path, constants.O_RDONLY | withoutLinks | withoutWaiting);
  try {
    // It may have been swapped since.
    const stats = await handle.stat();
    refuse(path, stats);
    return { text: textOf(path, await handle.readFile()), mode: stats.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a text that `readEditable` has returned, and keeps the previous one in `backup`. Throws a NotEditableError or a
 * system error.
 */
export async function replaceEditable(
  path: string,
  { before, after, backup }: { before: string | undefined; after: string; backup: string },
): Promise<void> {
  const present = await readEditable(path);
  if (present?.text !== before) throw new NotEditableError(path, 'changed-meanwhile');
  if (present === undefined) makeFolder(dirname(path));
  else await replaceFile(backup, present.text, undefined, present.mode);
  await replaceFile(path, after, undefined, present?.mode);
}

function refuse(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new NotEditableError(path, 'wrong-kind');
  // A new file would take the place of one name only.
  if (stats.nlink > 1) throw new NotEditableError(path, 'several-names');
  // A new file would belong to this user. Windows has no numeric owners.
  const userId = process.geteuid?.();
  if (userId !== undefined && stats.uid !== userId) throw new NotEditableError(path, 'other-owner');
  // Not only `access`, because root may write to every file.
  if ((stats.mode & 0o200) === 0) throw new NotEditableError(path, 'read-only');
  if (stats.size > maxBytes) throw new NotEditableError(path, 'too-long');
}

/** Checks the nearest folder that exists: the others would be created. */
async function refuseReadOnlyFolder(path: string): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK);
      return;
    } catch (error) {
      if (!isMissing(error) || folder === dirname(folder))
        throw new NotEditableError(path, 'folder-read-only', folder);
    }
  }
}

/** Keeps a byte order mark. */
function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotEditableError(path, 'not-text');
  }
}
