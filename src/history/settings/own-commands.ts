import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { someEntriesInSync } from '../../files/folder-names.js';

/** Far more than anyone has. */
const mostCommands = 2_000;

export interface CommandPlaces {
  /** Claude Code's configuration folder of the user. */
  readonly configDir: string;
  readonly cwd: string;
  /** Whether Claude Code loads the commands of the project. */
  readonly isProjectLoaded: boolean;
}

/** Whether the user, a plugin or the project has a command or a skill with this name. */
export function hasOwnCommand(name: string, { configDir, cwd, isProjectLoaded }: CommandPlaces): boolean {
  // Commands of plugins and of subfolders: no command of Claude Code itself has such a name.
  if (name.includes(':')) return true;
  const folders = isProjectLoaded ? [configDir, ...projectFolders(cwd)] : [configDir];
  return folders.some(
    (folder) => isIn(join(folder, 'commands'), `${name}.md`, cwd) || isIn(join(folder, 'skills'), name, cwd),
  );
}

/** Those of the folder and of its parents in the same repository. */
function projectFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, '.claude'));
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return folders.slice(0, 1);
  }
}

/** By exact name: a file system that ignores case would also find the file of another command. */
function isIn(folder: string, name: string, behalf: string): boolean {
  try {
    return someEntriesInSync(folder, behalf, mostCommands).entries.some((entry) => entry.name === name);
  } catch {
    return false;
  }
}
