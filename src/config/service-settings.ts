import { integer, text, type Setting } from './setting.js';

/** Settings of `serve`. */
export const service = {
  host: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_HOST'],
    fallback: '127.0.0.1',
    doc: 'Address that the service listens on.',
  },
  port: {
    kind: integer(0, 65_535),
    env: ['CLAUDE_CODE_MCP_PORT'],
    fallback: 8_137,
    doc: 'Port that the service listens on. 0 means any free port.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Defaults of `serve` that are stricter than those over stdin and stdout. */
export const serviceFallbacks = { approvals: 'human', history: 'off' } as const;
