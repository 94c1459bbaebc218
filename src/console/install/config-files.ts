import {
  NotEditableError,
  readEditable,
  replaceEditable,
  type EditProblem,
} from '../../files/edited-file.js';
import { RefusedFileError, type ConfigFiles } from './run.js';

/** Beside the file, where a person who looks for it finds it. */
function backupOf(path: string): string {
  return `${path}.before-claude-code-mcp`;
}

/** Does the work while no other program changes the file. */
export type Lock = (path: string, work: () => Promise<void>) => Promise<void>;

export function createConfigFiles(lock: Lock): ConfigFiles {
  return {
    read: async (path) => (await explained(readEditable(path)))?.text,
    readBackup: async (path) => (await readEditable(backupOf(path)).catch(() => undefined))?.text,
    async replace(path, before, after) {
      const backup = backupOf(path);
      await explained(lock(path, () => replaceEditable(path, { before, after, backup })));
      return before === undefined ? undefined : backup;
    },
  };
}

const words: Readonly<Record<EditProblem, (detail: string) => string>> = {
  'symbolic-link': (target) => `The file is a symbolic link to ${target}, so another program may manage it.`,
  'several-names': () => 'The file has several names (hard links), and only one of them would change.',
  'wrong-kind': () => 'This is not a regular file.',
  'other-owner': () => 'The file belongs to another user. Run this command as that user.',
  'read-only': () => 'The file is read-only. Make it writable first.',
  'folder-read-only': (folder) => `The folder ${folder} cannot be written.`,
  'not-text': () => 'The file is not UTF-8 text.',
  'too-long': () => 'The file is too long for a configuration.',
  'changed-meanwhile': () => 'Another program has changed the file meanwhile. Run this command again.',
};

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotEditableError)
      throw new RefusedFileError(words[error.problem](error.detail ?? ''));
    if (error instanceof Error && 'code' in error)
      throw new RefusedFileError(`The file cannot be changed: ${error.message}.`);
    throw error;
  }
}
