import * as z from 'zod';
import { defineOptions } from './define.js';

export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'bypassPermissions',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** A leading dash would turn a value into a command-line flag of Claude Code. */
const toolRule = z.string().min(1).max(1000).regex(/^[^-]/, 'must not start with "-"');
const toolRules = z.array(toolRule).max(100);

/** What Claude may do, and what it must ask for. */
export const toolOptions = defineOptions({
  permissionMode: {
    schema: z.enum(permissionModes),
    place: 'top',
    long: "Claude Code's permission mode. Default: the user's configured mode, else `default`. `bypassPermissions` is refused.",
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
    schema: z.array(z.string().min(1).max(200).regex(/^[^-]/, 'must not start with "-"')).max(100),
    place: 'advanced',
    words: 'Built-in tools Claude sees; [] for none',
    long: 'The built-in tools Claude can see at all. Default: all of them. With an empty list and no `maxTurns`, `maxTurns` is 1.',
  },
});
