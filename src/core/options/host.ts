import * as z from 'zod';
import { defineOptions } from './define.js';
import { sandboxSchema } from './sandbox.js';

const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !text.includes('\0'), 'must not contain NUL');

/** The executable and environment of Claude Code, and the sandbox of its commands. */
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
    long: 'Environment variables for Claude Code and its commands. Callers may set `CI`, `NO_COLOR`, `FORCE_COLOR`, `TZ`, `LANG`, `LC_ALL`, `NODE_ENV`, `MAX_THINKING_TOKENS`, `CLAUDE_CODE_MAX_OUTPUT_TOKENS`, `CLAUDE_CODE_MAX_RETRIES`, `BASH_DEFAULT_TIMEOUT_MS` and `BASH_MAX_TIMEOUT_MS`, each as one plain word, a locale or a time zone; everything else requires `CLAUDE_CODE_MCP_CALLER_TRUST=full`. Values are never shown and not stored on disk. Default: none.',
  },
  sandbox: {
    schema: sandboxSchema,
    place: 'advanced',
    isOpaque: true,
    long: "Sandbox for the commands that Claude runs, in the keys of Claude Code's own setting. Callers may only tighten it: `{ enabled: true }`, and keys that deny domains, paths or credentials. The session then fails if no sandbox is available, and commands still need approval. Values that loosen it require `CLAUDE_CODE_MCP_CALLER_TRUST=full`. Default: `CLAUDE_CODE_MCP_SANDBOX`, else the user's setting.",
  },
  pathToClaudeCodeExecutable: {
    schema: path,
    place: 'advanced',
    long: 'Absolute path of another Claude Code executable. Requires `CLAUDE_CODE_MCP_CALLER_TRUST=full`.',
  },
  debug: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether Claude Code writes debug output to its own log. `true` requires `CLAUDE_CODE_MCP_CALLER_TRUST=full`. Default: false.',
  },
  debugFile: {
    schema: path,
    place: 'advanced',
    long: 'Absolute path of a file for the debug output. Requires `CLAUDE_CODE_MCP_CALLER_TRUST=full`.',
  },
});
