import { relative } from 'node:path';
import {
  autostartFiles,
  guardedFolders,
  harmlessFolders,
  programFolders,
} from '../../core/claude/autostart-files.js';
import { isInside } from '../../core/paths.js';
import type { Target } from './call.js';

const inEdits = matcher(autostartFiles);
/** Commands name programs mostly to run them. */
const inCommands = matcher(autostartFiles.filter((file) => !programFolders.includes(file)));

const aroundFiles = matcher(
  autostartFiles.filter((file) => file.includes('/')).map((file) => file.replace(/\/[^/]+(?:\/\*\*)?$/, '')),
);

/** Whether an edit of this file could make other tools start programs. */
export function isAutostartFile(target: Target): boolean {
  return isMatch(target, inEdits);
}

/** Whether a command names such a file: copying or moving one edits it. */
export function isNamedAutostart(target: Target): boolean {
  return isMatch(target, inCommands);
}

/** Whether a file that is moved into this folder, or a folder that gets its name, may be or contain such a file. */
export function isAroundAutostart(target: Target): boolean {
  return isMatch(target, aroundFiles);
}

const harmless: ReadonlySet<string> = new Set([...guardedFolders, ...harmlessFolders]);

/** Whether a file of the session is in a hidden folder that may belong to a tool which starts programs. */
export function isInUnknownFolder({ named, real }: Target, folders: readonly string[]): boolean {
  return [named, real].some((path) =>
    folders
      .filter((folder) => isInside(path, folder))
      .some((folder) => foldersIn(relative(folder, path)).some(isUnknownFolder)),
  );
}

function foldersIn(path: string): readonly string[] {
  return comparable(path).split('/').slice(0, -1);
}

/** In `.config`, each tool has a folder of its own. */
function isUnknownFolder(name: string, index: number, path: readonly string[]): boolean {
  return (name.startsWith('.') && !harmless.has(name)) || path[index - 1] === '.config';
}

/** The link is an autostart file, or it leads to one. */
function isMatch({ named, real }: Target, pattern: RegExp): boolean {
  return [named, real].map(comparable).some((path) => pattern.test(path.replace(worktree, '')));
}

/** Agents keep worktrees of repositories in their own folders: `~/.codex/worktrees/1a2b/app/src/a.ts`. */
const worktree = /^.*\/\.[^/]+\/worktrees\/[^/]+(?=\/|$)/;

/** File systems ignore case, some Unicode forms and invisible characters. */
function comparable(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase()
    .split(/[\\/]/)
    .map(withoutTail)
    .join('/');
}

/** Windows ignores dots and spaces at the end of a name, and what follows a colon is a stream of the same file. */
function withoutTail(name: string): string {
  const [start = ''] = name.split(':', 1);
  let end = start.length;
  while (start[end - 1] === '.' || start[end - 1] === ' ') end -= 1;
  return start.slice(0, end);
}

function matcher(files: readonly string[]): RegExp {
  return new RegExp(`(?:^|/)(?:${files.map(alternative).join('|')})$`);
}

function alternative(file: string): string {
  const name = file.toLowerCase();
  if (name.endsWith('/**')) return `${literal(name.slice(0, -3))}(?:/.*)?`;
  return name.split('*').map(literal).join('[^/]*');
}

function literal(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}
