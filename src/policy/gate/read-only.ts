import { isAgentTool } from '../../core/claude/claude-tools.js';
import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';

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

/** With any other, the tool could do more than run the command. */
const commandKeys: ReadonlySet<string> = new Set([
  'command',
  'description',
  'timeout',
  'timeout_ms',
  'run_in_background',
  'persistent',
]);

/** Returns true only if the call certainly changes nothing; false in any doubt. */
export function isReadOnly(call: JudgedCall): boolean {
  const { toolName, input } = call;
  if (readOnlyTools.has(toolName)) return true;
  // With an isolated worktree, it writes to the repository before it starts.
  if (isAgentTool(toolName)) return input['isolation'] === undefined && call.isolation === undefined;
  return toolName === 'Bash' && onlyReads(call);
}

/** Whether a command certainly changes nothing, and reads only files. */
function onlyReads({ input, command }: JudgedCall): boolean {
  const isKnown = Object.entries(input).every(([key, value]) => commandKeys.has(key) || value === false);
  return isKnown && command?.isReadOnly === true && command.reads?.every(isFile) === true;
}

/**
 * Show the environment of processes, are devices and network connections, or give every file of macOS a second name that
 * no real path leads back from.
 */
const systemFolders = ['/proc', '/dev', '/.vol', '/.nofollow', '/.resolve'];

function isFile({ named, real }: Target): boolean {
  return !systemFolders.some((folder) =>
    [named, real].some((path) => isInside(path, folder) || isInside(folder, path)),
  );
}
