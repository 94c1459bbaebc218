import { isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { realPathOfNearest } from '../../files/real-path.js';
import type { Target } from '../../policy/gate/call.js';

/** How Claude Code resolves relative paths and `~`. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
}

type NamingCall = Pick<ToolCall, 'toolName' | 'input' | 'cwd'>;

/** The paths that a tool could read or write, without links, so that no link hides them. */
export function realTargetsOf(call: NamingCall, { cwd, home }: Surroundings): Target[] {
  const start = call.cwd ?? cwd;
  return pathsIn(call).map((path) => {
    const named = resolve(start, asClaudeReadsIt(path, home));
    return { named, real: realPathOfNearest(named) };
  });
}

/** No file system of ours takes a longer path. */
const longestPath = 4_096;

/** These search the working directory unless a path is given. */
const searchingTools: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/** The keys in which the tools of Claude Code take a path. */
const pathKeys = ['file_path', 'notebook_path', 'path', 'filePath'] as const;

function pathsIn({ toolName, input }: NamingCall): readonly string[] {
  const { pattern, command } = input;
  if (typeof command === 'string') return wordsOf(command);
  // An absolute pattern overrides the path of Glob.
  if (toolName === 'Glob' && typeof pattern === 'string' && isAbsolute(pattern)) return [pattern];
  const paths = pathKeys.map((key) => input[key]).filter((path) => typeof path === 'string');
  if (paths.length > 0) return paths;
  return searchingTools.has(toolName) ? ['.'] : [];
}

/**
 * Everything in a command that could be a path, including the working directory. The shell drops quotes and
 * backslashes, and an option can have its path after a sign: `--target-directory=.cursor`.
 */
export function wordsOf(command: string): readonly string[] {
  const words = [command.replaceAll(/["'\\]/g, ''), command.replaceAll('\\', '/')].flatMap((text) =>
    text.split(/[\s"';|&<>()`]+/),
  );
  const parts = words.flatMap((word) => word.split(/[=,:@]/));
  // In quotes, `~` is a name like any other.
  const named = [...words, ...parts].flatMap((word) => (word.startsWith('~') ? [word, `./${word}`] : [word]));
  return [...new Set(['.', ...named])].filter((word) => word.length <= longestPath);
}

/** Claude Code trims paths and expands `~`. */
function asClaudeReadsIt(path: string, home: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/') ? join(home, trimmed.slice(1)) : trimmed;
}
