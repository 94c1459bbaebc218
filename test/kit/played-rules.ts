/** As much of Claude Code's permission rules as the scripts of the in-process rung need. */
import { isAbsolute, relative } from 'node:path';

export type Verdict = 'allow' | 'ask' | 'deny' | 'unknown';

export type ToolUse = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type RuleBook = {
  readonly cwd: string;
  readonly mode: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** The only tools there are; undefined = all. */
  readonly tools: readonly string[] | undefined;
  readonly plansDir: string;
};

const alwaysAsked = new Set(['AskUserQuestion', 'ExitPlanMode']);
const edits = new Set(['Write', 'Edit', 'NotebookEdit']);
const reads = new Set(['Read', 'Glob', 'Grep', 'TodoWrite', 'EnterPlanMode']);
const readingCommand = /^(echo|ls|pwd|cat|head|true|sleep)\b[^>|;&]*$/;
const editingCommand = /^(touch|rm|mkdir|mv|cp)\b|>/;

/** Deny rules first, then what must be asked, then allow rules, then the mode. */
export function verdictOn(call: ToolUse, book: RuleBook): Verdict {
  const { name } = call;
  if (book.deny.includes(name) || book.tools?.includes(name) === false) return 'unknown';
  if (book.deny.some((rule) => covers(rule, call))) return 'deny';
  if (book.mode === 'bypassPermissions' && name !== 'AskUserQuestion') return 'allow';
  if (alwaysAsked.has(name)) return 'ask';
  if (book.allow.some((rule) => covers(rule, call)) || isHarmless(call, book)) return 'allow';
  if (book.mode === 'acceptEdits' && isEditHere(call, book)) return 'allow';
  return book.mode === 'dontAsk' ? 'deny' : 'ask';
}

/** `Bash`, `Bash(touch *)`, `Bash(touch:*)`, `Bash(touch a.txt)`; other contents are paths in the folder. */
function covers(rule: string, { name, input }: ToolUse): boolean {
  const [, ruleTool, content] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (ruleTool !== name && !(ruleTool === 'Edit' && edits.has(name))) return false;
  if (content === undefined) return true;
  const subject = String(input['command'] ?? input['file_path'] ?? input['url'] ?? '');
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(content)?.[1];
  return prefix === undefined
    ? subject === content || subject.endsWith(`/${content}`)
    : subject === prefix || subject.startsWith(`${prefix} `);
}

/** A command that Claude Code takes for an edit of files. */
export function isEditing(command: string): boolean {
  return editingCommand.test(command);
}

function isHarmless({ name, input }: ToolUse, { cwd, plansDir }: RuleBook): boolean {
  const path = input['file_path'] ?? input['path'];
  if (typeof path === 'string' && edits.has(name)) return isInside(path, plansDir);
  if (name === 'Bash') return readingCommand.test(String(input['command'] ?? ''));
  return reads.has(name) && (typeof path !== 'string' || isInside(path, cwd));
}

function isEditHere({ name, input }: ToolUse, { cwd }: RuleBook): boolean {
  if (name === 'Bash') return isEditing(String(input['command'] ?? ''));
  return edits.has(name) && isInside(String(input['file_path'] ?? ''), cwd);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
