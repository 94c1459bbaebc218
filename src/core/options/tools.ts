import * as z from 'zod';
import { argument, defineOptions } from './define.js';
import { permissionModes } from './permission-modes.js';

export { isPermissionMode, permissionModes, type PermissionMode } from './permission-modes.js';

/**
 * Exactly one rule: a tool, or a tool with a pattern. Claude Code splits its list of rules at commas and spaces, so
 * `Read(x),Bash` would become two rules.
 */
const singleRule = /^[A-Za-z_][\w*.:-]*(\([^()]*\))?$/;

export function isSingleRule(text: string): boolean {
  return singleRule.test(text) && !text.includes('\n');
}

/** A rule of a caller. */
export const toolRule = argument(500)
  .refine(isSingleRule, 'must be one tool or one rule such as Bash(npm test), without brackets inside')
  .refine(
    (rule) => !/^(Write|MultiEdit|NotebookEdit)\(/i.test(rule),
    'must be Edit(path): Claude Code has no rules for files under other names',
  );

export const toolRules = z.array(toolRule).max(100);

/** Tools, and which of them need approval. */
export const toolOptions = defineOptions({
  permissionMode: {
    schema: z.enum(permissionModes),
    place: 'top',
    long: "Permission mode of Claude Code. Default: the user's configured mode, else `default`. `bypassPermissions` is refused unless the operator allows it.",
  },
  allowedTools: {
    schema: toolRules,
    place: 'top',
    words: 'Run without approval, e.g. "Bash(npm test)"',
    long: 'Tools or rules that run without approval. Default: none.',
  },
  disallowedTools: {
    schema: toolRules,
    place: 'top',
    long: 'Tools or rules that never run, no matter who approves. Default: none.',
  },
  tools: {
    schema: z.union([
      // Claude Code splits the names at commas.
      z.array(argument(200).refine((name) => !name.includes(','), 'must be one tool')).max(100),
      z.strictObject({ type: z.literal('preset'), preset: z.literal('claude_code') }),
    ]),
    place: 'advanced',
    showsFirst: true,
    words: 'Built-in tools; [] for none',
    long: 'Built-in tools that Claude has. The preset means all of them, which is the default. If the list is empty and `maxTurns` is not set, `maxTurns` is 1.',
  },
  skills: {
    schema: z.union([z.string().pipe(z.literal('all')), z.array(argument(200)).max(100)]),
    place: 'advanced',
    long: 'Skills that Claude may use without approval: a list of names, or `"all"`. The limits of `allowedTools` apply, as for the rule `Skill(name)`. Default: all, with approval where Claude Code asks.',
  },
  slashCommands: {
    schema: z.boolean(),
    place: 'advanced',
    words: 'Expand /command and @path (trusted callers)',
    long: 'Whether Claude Code expands `/command` and `@path` in prompts. Only with `CLAUDE_CODE_MCP_CALLER_TRUST=full` and in trusted folders, because they run commands, change settings and read files without approval. Default: false.',
  },
});
