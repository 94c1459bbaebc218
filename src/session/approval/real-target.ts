import { isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { realPathOfNearest } from '../../files/real-path.js';

/** How Claude Code resolves relative paths and `~`. */
interface Surroundings {
  readonly cwd: string;
  readonly home: string;
}

/** The real path that a tool would read or write, so that no link hides it; undefined if the call names none. */
export function realTargetOf(call: ToolCall, { cwd, home }: Surroundings): string | undefined {
  const path = pathIn(call);
  return path === undefined ? undefined : realPathOfNearest(resolve(cwd, asClaudeReadsIt(path, home)));
}

function pathIn({ toolName, input }: ToolCall): string | undefined {
  const { pattern } = input;
  // An absolute pattern overrides the path of Glob.
  if (toolName === 'Glob' && typeof pattern === 'string' && isAbsolute(pattern)) return pattern;
  const path = input['file_path'] ?? input['notebook_path'] ?? input['path'];
  return typeof path === 'string' ? path : undefined;
}

/** Claude Code trims paths and expands `~`. */
function asClaudeReadsIt(path: string, home: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/') ? join(home, trimmed.slice(1)) : trimmed;
}
