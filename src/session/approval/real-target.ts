import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';

/** Where a tool would read or write: a link in the folder must not hide it. Undefined when it names no place. */
export function realTargetOf(call: ToolCall, cwd: string): string | undefined {
  const path = pathIn(call);
  return path === undefined ? undefined : realPath(resolve(cwd, asClaudeReadsIt(path)));
}

function pathIn({ toolName, input }: ToolCall): string | undefined {
  const { pattern } = input;
  // Glob looks there, whatever its path says.
  if (toolName === 'Glob' && typeof pattern === 'string' && isAbsolute(pattern)) return pattern;
  const path = input['file_path'] ?? input['notebook_path'] ?? input['path'];
  return typeof path === 'string' ? path : undefined;
}

/** Without blanks around it, and with the home folder for `~`. */
function asClaudeReadsIt(path: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/') ? join(homedir(), trimmed.slice(1)) : trimmed;
}

/** Of what does not exist yet, or is a pattern, the part that exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
