import { autostartFiles, programFolders } from '../../core/claude/autostart-files.js';
import type { Target } from './call.js';

const inEdits = matcher(autostartFiles);
/** Commands name programs mostly to run them. */
const inCommands = matcher(autostartFiles.filter((file) => !programFolders.includes(file)));

/** Whether an edit of this file could make other tools start programs. */
export function isAutostartFile(target: Target): boolean {
  return isMatch(target, inEdits);
}

/** Whether a command names such a file: copying or moving one edits it. */
export function isNamedAutostart(target: Target): boolean {
  return isMatch(target, inCommands);
}

/** The link is an autostart file, or it leads to one. */
function isMatch({ named, real }: Target, pattern: RegExp): boolean {
  return pattern.test(comparable(named)) || pattern.test(comparable(real));
}

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
  return name.startsWith('*') ? `[^/]*${literal(name.slice(1))}` : literal(name);
}

function literal(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}
