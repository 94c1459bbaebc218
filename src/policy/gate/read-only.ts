import { isAgentTool } from '../../core/claude/claude-tools.js';
import type { JudgedCall } from './call.js';

/** Tools that change nothing by themselves. Calls of a subagent pass the gate separately. */
const readOnlyTools: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'StructuredOutput',
  'ListAgents',
  'CronList',
  'TaskList',
  'TaskGet',
  'TaskStop',
  'TaskOutput',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
]);

/** Returns true only if the call certainly changes nothing; false in any doubt. */
export function isReadOnly({ toolName, input, command }: JudgedCall): boolean {
  if (readOnlyTools.has(toolName)) return true;
  // With an isolated worktree, it writes to the repository before it starts.
  if (isAgentTool(toolName)) return input['isolation'] === undefined;
  return toolName === 'Bash' && command?.isReadOnly === true;
}
