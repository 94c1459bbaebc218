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

export const toolRules = z.array(argument(500)).max(100);

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
