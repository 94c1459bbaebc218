import { integer, onOff, text, variableNames, type Setting } from './setting.js';

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
  passEnv: {
    kind: variableNames,
    env: ['CLAUDE_CODE_MCP_PASS_ENV'],
    fallback: [],
    doc: 'Variables that sessions of the service inherit besides the usual ones, separated by commas. A name may end with *, such as AWS_*.',
  },
  acceptSharedUid: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_ACCEPT_SHARED_UID'],
    fallback: false,
    doc: 'Serve several principals although all their sessions run as one user of the system. They are separated at the API only: an approved command can read the files of every principal.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Defaults of `serve` that are stricter than those over stdin and stdout. */
export const serviceFallbacks = { approvals: 'human', history: 'off' } as const;
