import { isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { LinkWalk, unknownPlace } from '../../files/real-path.js';
import type { JudgedCall, Target } from '../../policy/gate/call.js';

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
  const start = call.cwd ?? cwd;
  const { paths, hasMore } = pathsIn(call);
  const targets = paths.map((path): Target => {
    const named = resolve(start, asClaudeReadsIt(path, home));
    return { named, real: walk.resolve(named) };
  });
  const isUnknown = targets.some(({ real }) => real === unknownPlace);
  return hasMore || isUnknown ? { targets, hasMoreTargets: true } : { targets };
}

/** No file system of ours takes a longer path. */
const longestPath = 4_096;

/** Looking up more words would keep the server busy for seconds. */
const longestCommand = 100_000;
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
  const parts = words.flatMap((word) => word.split(/[=,:@]/));
  // In quotes, `~` is a name like any other.
  const named = [...words, ...parts].flatMap((word) => (word.startsWith('~') ? [word, `./${word}`] : [word]));
  const paths = [...new Set(['.', ...named])].filter((word) => word.length <= longestPath);
  return {
    paths: paths.slice(0, mostWords),
    hasMore: paths.length > mostWords || command.length > longestCommand,
  };
}

/** Claude Code trims paths and expands `~`. */
function asClaudeReadsIt(path: string, home: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/') ? join(home, trimmed.slice(1)) : trimmed;
}
