import { isAgentTool } from '../../core/claude/claude-tools.js';

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

/** Commands without any option that writes. Excludes git: a repository can name programs that `git status` runs. */
const readOnlyCommand = /^(?:ls|pwd|cat|head|tail|wc|grep|echo|which)(?:[ \t]+[\w./:=@,+-]+)*[ \t]*$/;

/** Returns true only if the call certainly changes nothing; false in any doubt. */
export function isReadOnly(toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (readOnlyTools.has(toolName)) return true;
  // With an isolated worktree, it writes to the repository before it starts.
  if (isAgentTool(toolName)) return input['isolation'] === undefined;
  const command = input['command'];
  return toolName === 'Bash' && typeof command === 'string' && readOnlyCommand.test(command);
}

/** Print their words, or where they are. */
const textCommands: ReadonlySet<string> = new Set(['echo', 'pwd', 'which']);

/**
 * What a read-only command reads: nothing, only the paths among its words, or files that nobody can tell in advance. A
 * long option can name a file, and so can `-f` of grep, whose `-R` also follows links.
 */
export function readingOf({ command }: Readonly<Record<string, unknown>>): 'nothing' | 'targets' | 'unknown' {
  const [program = '', ...words] = typeof command === 'string' ? command.trim().split(/\s+/) : [];
  if (program === '' || textCommands.has(program)) return 'nothing';
  const isPlain = (word: string): boolean =>
    !word.startsWith('--') && (program !== 'grep' || !/^-.*[fR]/.test(word));
  return words.every(isPlain) ? 'targets' : 'unknown';
}
