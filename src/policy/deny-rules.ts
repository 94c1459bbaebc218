import { AppError } from '../core/errors.js';
import { agentToolNames } from '../core/claude/claude-tools.js';
import { toolOfRule } from '../core/options/permission-rules.js';
import { isEditing } from './gate/file-rules.js';
import { quotedRule } from './permission-rules.js';

/** Rule names that could forbid an edited call, for tools that rules of other names affect too. */
const relatedRules: Readonly<Record<string, readonly string[]>> = {
  Bash: ['Bash', 'Read', 'Edit', 'Write'],
  PowerShell: ['PowerShell', 'Bash', 'Read', 'Edit', 'Write'],
  Read: ['Read'],
  Grep: ['Read', 'Grep'],
  Glob: ['Read', 'Glob'],
  LSP: ['Read', 'LSP'],
  Agent: agentToolNames,
  Task: agentToolNames,
  Monitor: ['Monitor', 'Bash', 'Read', 'Edit', 'Write'],
};

/**
 * Refuses an edit if a deny rule might apply to it. Claude Code does not check edited input against its deny rules, and
 * only Claude Code can interpret them.
 */
export function refuseEditAround(toolName: string, denyRules: readonly string[]): void {
  // It checks the tools that edit files even then.
  if (isEditing(toolName)) return;
  const related = Object.hasOwn(relatedRules, toolName) ? (relatedRules[toolName] ?? []) : [toolName];
  const rule = denyRules.find((text) => related.some((name) => name.startsWith(toolOfRule(text))));
  if (rule === undefined) return;
  throw new AppError('edit_around_rule', { rule: quotedRule(rule) });
}
