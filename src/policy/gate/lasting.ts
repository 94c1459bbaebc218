import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isEditing } from './file-rules.js';

const worktree = 'This runs git and creates a branch and a worktree in the repository';

const resource = 'This reads data from an MCP server';

/** Tools that Claude Code runs without asking, although their effect outlasts the session or they reach another program. */
const lastingTools: Readonly<Record<string, (input: JudgedCall['input']) => string | undefined>> = {
  CronCreate: ({ durable = false }) =>
    durable === false ? undefined : 'This schedule outlasts the session and prompts later ones',
  CronDelete: () => 'This can delete a schedule of another session',
  EnterWorktree: () => worktree,
  ExitWorktree: ({ action }) =>
    action === 'keep' ? undefined : 'This deletes a git worktree and the work in it',
  Agent: ({ isolation }) => (isolation === undefined ? undefined : worktree),
  Task: ({ isolation }) => (isolation === undefined ? undefined : worktree),
  ReadMcpResourceTool: () => resource,
  ReadMcpResourceDirTool: () => resource,
};

/** Why a call must be approved although Claude Code would not ask; undefined if it need not be. */
export function lastingReason(
  { toolName, input, targets }: JudgedCall,
  { claudeDir }: { readonly claudeDir: string },
): string | undefined {
  const reason = Object.hasOwn(lastingTools, toolName) ? lastingTools[toolName]?.(input) : undefined;
  if (reason !== undefined) return reason;
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
