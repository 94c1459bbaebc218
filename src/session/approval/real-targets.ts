import { isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { LinkWalk, unknownPlace } from '../../files/real-path.js';
import type { JudgedCall, Target } from '../../policy/gate/call.js';
import { isPattern } from '../../policy/gate/patterns.js';
import { linksOfPatterns } from './pattern-links.js';

/** How Claude Code resolves relative paths and `~`. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
}

type NamingCall = Pick<ToolCall, 'toolName' | 'input' | 'cwd'>;

/** The paths that a tool could read or write, without links, so that no link hides them. */
export function realTargetsOf(
  call: NamingCall,
  { cwd, home }: Surroundings,
  walk = new LinkWalk(),
): Pick<JudgedCall, 'targets' | 'hasMoreTargets'> {
  const { paths, hasMore } = pathsIn(call);
  const isCommand = typeof call.input['command'] === 'string';
  const targets = paths.flatMap((path) => targetsOf(path, { cwd: call.cwd ?? cwd, home, isCommand, walk }));
  const isUnknown = targets.some(({ real }) => real === unknownPlace);
  return hasMore || isUnknown ? { targets, hasMoreTargets: true } : { targets };
}

interface Reader extends Surroundings {
  readonly isCommand: boolean;
  readonly walk: LinkWalk;
}

function targetsOf(path: string, { cwd, home, isCommand, walk }: Reader): readonly Target[] {
  const asRead = asClaudeReadsIt(path, home);
  const named = resolve(cwd, asRead);
  const target = { named, real: walk.resolve(named) };
  if (!isCommand || !goesUpAgain(asRead)) return [target];
  // A program opens it as the system does, with what is behind a link.
  return [target, { named, real: walk.open(isAbsolute(asRead) ? asRead : `${cwd}/${asRead}`) }];
}

/** Where these words of a command lead, if they are paths. Undefined if they are too many to be looked up. */
export function targetsOfWords(
  words: readonly string[],
  cwd: string,
  home: string,
): readonly Target[] | undefined {
  const walk = new LinkWalk();
  const paths = pathsInWords(words);
  if (paths.length > mostWords) return undefined;
  const targets = paths.flatMap((path) => targetsOf(path, { cwd, home, isCommand: true, walk }));
  return walk.isExhausted ? undefined : targets;
}

/** Where a command leads through links that its patterns stand for. */
export function patternTargets(command: string, { cwd, home }: Surroundings): readonly Target[] | undefined {
  const walk = new LinkWalk();
  const patterns = wordsOf(command)
    .paths.filter(isPattern)
    .map((path) => asClaudeReadsIt(path, home))
    .map((path) => (isAbsolute(path) ? path : `${cwd}/${path}`));
  const targets = linksOfPatterns(patterns)?.map((named) => ({ named, real: walk.open(named) }));
  return walk.isExhausted ? undefined : targets;
}

/** `a/../b`: if `a` is a link, `b` is beside what it leads to. */
function goesUpAgain(path: string): boolean {
  const names = path.split('/');
  const first = names.findIndex((name) => !['', '.', '..'].includes(name));
  return first !== -1 && names.includes('..', first);
}

/** No file system of ours takes a longer path. */
const longestPath = 4_096;

/** Looking up more words would keep the server busy for seconds. */
export const longestCommand = 100_000;
const mostWords = 4_000;

/** These search the working directory unless a path is given. */
const searchingTools: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/** The keys in which the tools of Claude Code take a path. */
const pathKeys = ['file_path', 'notebook_path', 'path', 'filePath', 'scriptPath'] as const;

interface NamedPaths {
  readonly paths: readonly string[];
  /** Whether a command has more words than these. */
  readonly hasMore: boolean;
}

function pathsIn({ toolName, input }: NamingCall): NamedPaths {
  const { pattern, command } = input;
  if (typeof command === 'string') return wordsOf(command);
  // An absolute pattern overrides the path of Glob.
  if (toolName === 'Glob' && typeof pattern === 'string' && isAbsolute(pattern))
    return { paths: [pattern], hasMore: false };
  const paths = pathKeys.map((key) => input[key]).filter((path) => typeof path === 'string');
  const isSearch = paths.length === 0 && searchingTools.has(toolName);
  return { paths: isSearch ? ['.'] : paths, hasMore: false };
}

/**
 * Everything in a command that could be a path, including the working directory. The shell drops quotes and
 * backslashes, and an option can have its path after a sign: `--target-directory=.cursor`.
 */
function wordsOf(command: string): NamedPaths {
  const start = command.slice(0, longestCommand);
  const words = [start.replaceAll(/["'\\]/g, ''), start.replaceAll('\\', '/')].flatMap((text) =>
    text.split(/[\s"';|&<>()`]+/),
  );
  const paths = pathsInWords(['.', ...words]);
  return {
    paths: paths.slice(0, mostWords),
    hasMore: paths.length > mostWords || command.length > longestCommand,
  };
}

function pathsInWords(words: readonly string[]): readonly string[] {
  const parts = words.flatMap((word) => word.split(/[=,:@]/));
  // In quotes, `~` is a name like any other.
  const named = [...words, ...parts].flatMap((word) => (word.startsWith('~') ? [word, `./${word}`] : [word]));
  return [...new Set(named)].filter((word) => word.length <= longestPath);
}

/** Claude Code trims paths and expands `~`. */
function asClaudeReadsIt(path: string, home: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/') ? join(home, trimmed.slice(1)) : trimmed;
}
