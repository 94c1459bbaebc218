/** As much of Claude Code's permission rules as the scripts of the in-process rung need. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PermissionUpdate } from '@anthropic-ai/claude-agent-sdk';
import { isInside } from '../../src/core/paths.js';

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

/** The first of these that is a text. */
export function textIn(input: ToolUse['input'], ...keys: readonly string[]): string {
  const found = keys.map((key) => input[key]).find((value) => typeof value === 'string');
  return found ?? '';
}

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
  const subject = textIn(input, 'command', 'file_path', 'url');
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(content)?.[1];
  return prefix === undefined
    ? subject === content || subject.endsWith(`/${content}`)
    : subject === prefix || subject.startsWith(`${prefix} `);
}

/** A command that Claude Code takes for an edit of files. */
function isEditing(command: string): boolean {
  return editingCommand.test(command);
}

function isHarmless({ name, input }: ToolUse, { cwd, plansDir }: RuleBook): boolean {
  const path = input['file_path'] ?? input['path'];
  if (typeof path === 'string' && edits.has(name)) return isInside(path, plansDir);
  if (name === 'Bash') return readingCommand.test(textIn(input, 'command'));
  return reads.has(name) && (typeof path !== 'string' || isInside(path, cwd));
}

function isEditHere({ name, input }: ToolUse, { cwd }: RuleBook): boolean {
  if (name === 'Bash') return isEditing(textIn(input, 'command'));
  return edits.has(name) && isInside(textIn(input, 'file_path'), cwd);
}

/** What Claude Code offers to remember: a rule for the command, or to accept edits. */
export function suggestionsFor({ name, input }: ToolUse): PermissionUpdate[] {
  const command = textIn(input, 'command');
  if (name !== 'Bash' || isEditing(command))
    return [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  const rules = [{ toolName: 'Bash', ruleContent: `${command.split(' ').slice(0, 2).join(' ')} *` }];
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }];
}

/** The path that Claude Code names as the reason. */
export function blockedBy({ name, input }: ToolUse, cwd: string): { blockedPath?: string } {
  const file = name === 'Bash' ? /^touch (\S+)$/.exec(textIn(input, 'command'))?.[1] : undefined;
  return file === undefined ? {} : { blockedPath: resolve(cwd, file) };
}

/** What the user has forbidden. */
export function userDenials(configDir: string): readonly string[] {
  const path = join(configDir, 'settings.json');
  if (!existsSync(path)) return [];
  const settings = JSON.parse(readFileSync(path, 'utf8')) as { permissions?: { deny?: string[] } };
  return settings.permissions?.deny ?? [];
}
