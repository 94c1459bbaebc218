import type { Finding } from './check.js';

export interface NestedFacts {
  /** Names of the variables by which Claude Code marks the programs that it starts. */
  readonly markers: readonly string[];
  /** How many sessions of this server this terminal is inside of. */
  readonly depth: number;
  readonly maxDepth: number;
}

export function checkNested({ markers, depth, maxDepth }: NestedFacts): Finding {
  const id = 'nested';
  if (depth > maxDepth)
    return {
      id,
      status: 'fail',
      message: `This terminal is inside a session (CLAUDE_CODE_MCP_DEPTH=${depth}), so a server that starts here offers no tools.`,
      fix: `Use a terminal of your own, or set CLAUDE_CODE_MCP_MAX_DEPTH=${depth} to let sessions start sessions.`,
    };
  if (markers.length > 0)
    return {
      id,
      status: 'warn',
      message: `This terminal is inside Claude Code (${markers.join(', ')}). With these variables, claude may refuse to start.`,
      fix: 'Sessions of this server do not inherit them. To run claude yourself, use a terminal of your own.',
    };
  return { id, status: 'ok', message: 'This terminal is not inside a session of Claude Code.' };
}
