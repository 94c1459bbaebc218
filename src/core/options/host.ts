import * as z from 'zod';
import { defineOptions } from './define.js';

const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !text.includes('\0'), 'must not contain NUL');
const domains = z.array(z.string().min(1).max(300)).max(100);

/** What Claude Code runs as, and what its commands may reach. */
export const hostOptions = defineOptions({
  env: {
    schema: z
      .record(
        z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'must be the name of a variable'),
        z
          .string()
          .max(10_000)
          .refine((text) => !text.includes('\0'), 'must not contain NUL'),
      )
      .refine((variables) => Object.keys(variables).length <= 50, 'has more than 50 entries'),
    place: 'advanced',
    isOpaque: true,
    long: 'Variables for Claude Code and its commands. A few harmless ones (`CI, NO_COLOR, FORCE_COLOR, TZ, LANG, LC_ALL, NODE_ENV, MAX_THINKING_TOKENS, CLAUDE_CODE_MAX_OUTPUT_TOKENS, CLAUDE_CODE_MAX_RETRIES, BASH_DEFAULT_TIMEOUT_MS, BASH_MAX_TIMEOUT_MS`); all others need CALLER_TRUST=full. Never shown, and not kept on disk. Default: none.',
  },
  sandbox: {
    schema: z.strictObject({
      enabled: z.boolean().optional(),
      failIfUnavailable: z.boolean().optional(),
      autoAllowBashIfSandboxed: z.boolean().optional(),
      allowUnsandboxedCommands: z.boolean().optional(),
      excludedCommands: z.array(z.string().max(500)).max(100).optional(),
      network: z
        .strictObject({
          allowedDomains: domains.optional(),
          deniedDomains: domains.optional(),
          allowLocalBinding: z.boolean().optional(),
        })
        .optional(),
    }),
    place: 'advanced',
    isOpaque: true,
    long: "Claude Code's sandbox for commands. A caller may only tighten it: `{ enabled: true }`, with `network.deniedDomains`; it then fails where no sandbox is available and commands are still asked. The rest needs CALLER_TRUST=full. Default: the user's.",
  },
  pathToClaudeCodeExecutable: {
    schema: path,
    place: 'advanced',
    long: 'Another Claude Code executable, an absolute path. Needs CALLER_TRUST=full.',
  },
  debug: {
    schema: z.boolean(),
    place: 'advanced',
    long: "Claude Code's debug output, to its own log. Needs CALLER_TRUST=full. Default: false.",
  },
  debugFile: {
    schema: path,
    place: 'advanced',
    long: 'Where the debug output goes, an absolute path. Needs CALLER_TRUST=full.',
  },
});
