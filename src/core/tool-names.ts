/** Tools of Claude Code that operators name in their settings, in the case Claude Code knows them by. */
const toolNames = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'Edit',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'NotebookEdit',
  'Read',
  'Skill',
  'Task',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Write',
];

/** `bash(npm test)` -> `Bash(npm test)`: operators write names in any case, Claude Code takes only its own. */
export function inClaudesCase(rule: string): string {
  const [name = '', ...rest] = rule.split('(');
  const known = toolNames.find((tool) => tool.toLowerCase() === name.toLowerCase());
  return [known ?? name, ...rest].join('(');
}
