/** Tools that change nothing by themselves. What a subagent does passes the gate on its own. */
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

/** Commands without an option that writes. None of git: a repository can name programs that `git status` runs. */
const readOnlyCommand = /^(?:ls|pwd|cat|head|tail|wc|grep|echo|which)(?:[ \t]+[\w./:=@,+-]+)*[ \t]*$/;

/** True only where nothing can be changed for certain; everything in doubt is false. */
export function isReadOnly(toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (readOnlyTools.has(toolName)) return true;
  // With a worktree of its own it writes into the repository before it has begun.
  if (toolName === 'Agent' || toolName === 'Task') return input['isolation'] === undefined;
  const command = input['command'];
  return toolName === 'Bash' && typeof command === 'string' && readOnlyCommand.test(command);
}
