import { isAgentTool } from '../../core/claude/claude-tools.js';
import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isEditing } from './file-rules.js';

const worktree =
  'This runs git, which can run programs that the repository names, and creates a branch and a worktree';

const entering =
  'This moves the session into another worktree. There, Claude reads and edits as in its own folder and, if the session loads project files, follows instructions such as CLAUDE.md';

const resource = 'This reads data from an MCP server';

/** Tools that Claude Code runs without asking, although their effect outlasts the session or they reach another program. */
const lastingTools: Readonly<Record<string, (input: JudgedCall['input']) => string | undefined>> = {
  CronCreate: ({ durable = false }) =>
    durable === false ? undefined : 'This schedule outlasts the session and prompts later ones',
  CronDelete: () => 'This can delete a schedule of another session',
  EnterWorktree: ({ path = '' }) => (path === '' ? worktree : entering),
  ExitWorktree: ({ action }) =>
    action === 'keep' ? undefined : 'This deletes a git worktree and the work in it',
  ReadMcpResourceTool: () => resource,
  ReadMcpResourceDirTool: () => resource,
};

/** Why a call must be approved although Claude Code would not ask; undefined if it need not be. */
export function lastingReason(
  { toolName, input, targets, isolation }: JudgedCall,
  { claudeDir }: { readonly claudeDir: string },
): string | undefined {
  const reason = Object.hasOwn(lastingTools, toolName) ? lastingTools[toolName]?.(input) : undefined;
  if (reason !== undefined) return reason;
  // An unknown one is left to Claude Code: most agents of plugins have no worktree.
  if (isAgentTool(toolName) && (input['isolation'] !== undefined || isolation === 'worktree'))
    return worktree;
  const isChange = isEditing(toolName) || typeof input['command'] === 'string';
  return isChange && targets.some((target) => isMemory(target, claudeDir))
    ? 'Later sessions read this file as their memory'
    : undefined;
}

/** Claude Code lets sessions write to the memory of the project and of subagents. */
function isMemory({ real }: Target, claudeDir: string): boolean {
  const path = `${real.replaceAll('\\', '/')}/`;
  return (
    /\/\.claude\/agent-memory(?:-local)?\//i.test(path) ||
    (isInside(real, claudeDir) && /\/(?:projects\/[^/]+\/memory|agent-memory)\//i.test(path))
  );
}
