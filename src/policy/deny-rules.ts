import { AppError } from '../core/errors.js';

/** Which rules could forbid what a tool is edited to do, where it is not only those of its own name. */
const relatedRules: Readonly<Record<string, readonly string[]>> = {
  Bash: ['Bash', 'Read', 'Edit', 'Write'],
  PowerShell: ['PowerShell', 'Bash', 'Read', 'Edit', 'Write'],
  Read: ['Read'],
  Grep: ['Read', 'Grep'],
  Glob: ['Read', 'Glob'],
  Monitor: ['Monitor', 'Bash', 'Read', 'Edit', 'Write'],
};

/** Claude Code holds these against the deny rules by itself, edited or not. */
const checkedByClaude: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * What is denied can never be approved. Claude Code does not hold an edited input against its deny rules, and only it
 * knows how to read them: where one might apply, the edit is refused.
 */
export function refuseEditAround(toolName: string, denyRules: readonly string[]): void {
  if (checkedByClaude.has(toolName)) return;
  const related = Object.hasOwn(relatedRules, toolName) ? (relatedRules[toolName] ?? []) : [toolName];
  const rule = denyRules.find((text) => related.some((name) => name.startsWith(text.split('(', 1)[0] ?? '')));
  if (rule === undefined) return;
  throw new AppError('edit_around_rule', { rule });
}
