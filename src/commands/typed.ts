import { basename, dirname, relative, sep } from 'node:path';
import { commandNames } from '../config/commands.js';
import { isInside } from '../core/paths.js';
import { shellWord } from '../core/text/shell-word.js';

export interface Started {
  /** The path of the program that runs, as Node got it. */
  readonly program: string;
  /** Where links in that path lead. */
  readonly target: string;
  /** Where the person is. Undefined: elsewhere, so that only absolute paths help. */
  readonly cwd?: string | undefined;
}

/** How a person runs another command of this package: as they have run this one. */
export function commandLine({ program, target, cwd }: Started): string {
  const npx = /[\\/]_npx[\\/]/;
  if (npx.test(target)) return 'npx -y mcp-server-claude-code';
  // `npx .` links the package of the folder instead of copying it.
  if (npx.test(program)) return withPath('npx', dirname(dirname(target)), cwd);
  const name = basename(program);
  // A link on the PATH has no extension. Windows runs the program through a shim, which is not visible here.
  if (!name.endsWith('.js') && name !== '') return wordOf(name) ?? 'claude-code-mcp';
  return withPath('node', program, cwd);
}

/** The folder may have been named by someone else, so no shell may act on its name. */
function withPath(command: string, path: string, cwd: string | undefined): string {
  const word = wordOf(pathFrom(cwd, path)) ?? wordOf(path);
  return word === undefined ? 'claude-code-mcp' : `${command} ${word}`;
}

function pathFrom(cwd: string | undefined, path: string): string {
  return cwd !== undefined && isInside(path, cwd) ? relative(cwd, path) || '.' : path;
}

function wordOf(path: string): string | undefined {
  return (sep === '\\' ? /^[\w./\\:@+=-]+$/ : /^[\w./:@%+=-]+$/).test(path) ? path : shellWord(path);
}

/** Our texts call the program claude-code-mcp. In a clone, or through npx, that is not on the PATH. */
export function asTyped(text: string, command: string): string {
  const firstWords = ['help', ...new Set(commandNames.map((name) => name.split(' ')[0] ?? name))];
  // Not in a path, and only if a command or a flag follows.
  const named = new RegExp(
    `(?<![\\w/\\\\.-])claude-code-mcp(?= (?:--[a-z]|<command>|\\[flags\\]|(?:${firstWords.join('|')})(?![\\w-])))`,
    'g',
  );
  return text.replaceAll(named, () => command);
}
