import { asText, type JsonObject } from '../json.js';

/** What kind of work a Claude Code tool does. `other` is for tools that this list does not know yet. */
export type ToolCategory = 'files' | 'commands' | 'web' | 'agents' | 'planning' | 'schedule' | 'other';

export interface ClaudeTool {
  readonly name: string;
  readonly category: ToolCategory;
  /** One line; empty for a tool that is not in this list. */
  readonly does: string;
}

const known: Readonly<Record<string, readonly [ToolCategory, string]>> = {
  Read: ['files', 'Reads a file: text, an image, a PDF or a notebook.'],
  Write: ['files', 'Writes a whole file.'],
  Edit: ['files', 'Replaces text in a file.'],
  NotebookEdit: ['files', 'Edits a cell of a Jupyter notebook.'],
  Glob: ['files', 'Finds files by name pattern.'],
  Grep: ['files', 'Searches the contents of files.'],
  Bash: ['commands', 'Runs a shell command.'],
  Monitor: ['commands', 'Runs a command in the background and reports its output.'],
  TaskStop: ['commands', 'Stops a background task.'],
  WebFetch: ['web', 'Reads a web page.'],
  WebSearch: ['web', 'Searches the web.'],
  Task: ['agents', 'Delegates a task to a subagent. The model calls it Agent.'],
  ListAgents: ['agents', 'Lists the agents that can receive messages.'],
  SendMessage: ['agents', 'Sends a message to another agent.'],
  Skill: ['agents', 'Runs a skill of the user or the project.'],
  Workflow: ['agents', 'Runs several subagents from a script.'],
  ReportFindings: ['agents', 'Reports the findings of a review as a list.'],
  ToolSearch: ['agents', 'Loads tools that are not loaded at startup.'],
  AskUserQuestion: ['planning', 'Asks the user a question: a user_question in actions.'],
  EnterPlanMode: ['planning', 'Enters plan mode, which is read-only.'],
  ExitPlanMode: ['planning', 'Asks for approval of the plan: a plan_review in actions.'],
  EnterWorktree: ['planning', 'Moves the session to a new git worktree.'],
  ExitWorktree: ['planning', 'Leaves the git worktree.'],
  TodoWrite: ['planning', 'Maintains a to-do list.'],
  CronCreate: ['schedule', 'Schedules a prompt to run at set times.'],
  CronDelete: ['schedule', 'Deletes a scheduled prompt.'],
  CronList: ['schedule', 'Lists scheduled prompts.'],
  ScheduleWakeup: ['schedule', 'Schedules the session to continue later.'],
};

/** The known tools of Claude Code, plus those that sessions have reported. */
export function describeTools(shown: Iterable<string>): ClaudeTool[] {
  const names = new Set([...Object.keys(known), ...shown]);
  return [...names].map(describeTool);
}

export function describeTool(name: string): ClaudeTool {
  const [category, does] = (Object.hasOwn(known, name) ? known[name] : undefined) ?? ['other', ''];
  return { name, category, does };
}

/** The tools that change one file each, and the key that names it. */
const editingTools: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
};

/** The file that a tool call changes, if the tool is one that changes a file. */
export function changedFile(toolName: string, input: JsonObject): string | undefined {
  const key = Object.hasOwn(editingTools, toolName) ? editingTools[toolName] : undefined;
  return key === undefined ? undefined : asText(input[key]);
}

/** The names of the tool that starts a subagent. The model knows it by one of them, rules by both. */
export const agentToolNames: readonly string[] = ['Agent', 'Task'];

export function isAgentTool(name: string): boolean {
  return agentToolNames.includes(name);
}

/** Maps a tool name to a closed set of metric labels: names chosen by others become `mcp` or `other`. */
export function toolLabel(name: string): string {
  if (Object.hasOwn(known, name) || name === 'Agent') return name;
  return name.startsWith('mcp__') ? 'mcp' : 'other';
}

/** The names of the known tools, with both names of the agent tool. */
export const knownToolNames: readonly string[] = [...new Set([...Object.keys(known), ...agentToolNames])];
