import * as z from 'zod';
import { argument, defineOptions } from './define.js';

export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'bypassPermissions',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

export function isPermissionMode(text: string): text is PermissionMode {
  return permissionModes.some((mode) => mode === text);
}

/**
 * Exactly one rule: a tool, or a tool with a pattern. Claude Code takes a list apart at commas and spaces, so that
 * `Read(x),Bash` would be two of them.
 */
const singleRule = /^[A-Za-z_][\w*.:-]*(\([^()]*\))?$/;

export function isSingleRule(text: string): boolean {
  return singleRule.test(text) && !text.includes('\n');
}

const toolRule = argument(500)
  .refine(isSingleRule, 'must be one tool or one rule such as Bash(npm test), without brackets inside')
  .refine(
    (rule) => !/^(Write|MultiEdit|NotebookEdit)\(/.test(rule),
    'Claude Code knows rules for files by the name Edit: use Edit(path)',
  );

export const toolRules = z.array(toolRule).max(100);

/** What Claude may do, and what it must ask for. */
export const toolOptions = defineOptions({
  permissionMode: {
    schema: z.enum(permissionModes),
    place: 'top',
    long: "Claude Code's permission mode. Default: the user's configured mode, else `default`. `bypassPermissions` is refused unless the operator allows it.",
  },
  allowedTools: {
    schema: toolRules,
    place: 'top',
    words: 'Run unasked, e.g. "Bash(npm test)"',
    long: 'Tools or rules that run without asking. Default: none.',
  },
  disallowedTools: {
    schema: toolRules,
    place: 'top',
    long: 'Tools or rules that never run, whoever approves. Default: none.',
  },
  tools: {
    schema: z.array(argument(200)).max(100),
    place: 'advanced',
    words: 'Built-in tools Claude sees; [] for none',
    long: 'The built-in tools Claude can see at all. Default: all of them. With an empty list and no `maxTurns`, `maxTurns` is 1.',
  },
  skills: {
    schema: z.union([z.literal('all'), z.array(argument(200)).max(100)]),
    place: 'advanced',
    long: 'The skills Claude may use: a list of names, or `"all"`. Default: those of the user.',
  },
  slashCommands: {
    schema: z.boolean(),
    place: 'advanced',
    words: 'true: /command and @path work in prompts (trusted folders)',
    long: 'Whether `/command` and `@path` in a prompt mean something. Only in a folder that the user trusts: they run commands of the repository and read files, unasked. Default: false.',
  },
});
