import { delimiter } from 'node:path';
import { permissionModes } from '../core/options/tools.js';
import { auditSettings } from './audit-settings.js';
import { historySettings } from './history-settings.js';
import { metricsSettings } from './metrics-settings.js';
import { choice, choices, flag, integer, list, path, paths, text, type Setting } from './setting.js';
import { spendingSettings } from './spending-settings.js';

const day = 86_400_000;

/** The table of everything an operator can set. */
export const settings = {
  toolsets: choices({
    flag: 'toolsets',
    env: ['CLAUDE_CODE_MCP_TOOLSETS'],
    values: ['async', 'sessions', 'query', 'configure'],
    fallback: ['async'],
    doc: 'Which tools are served, separated by commas: five that wait (async), six that do not (sessions), one that runs to the end (query). With configure callers can let new sessions run every tool unasked.',
  }),
  backend: choice({
    flag: 'backend',
    env: ['CLAUDE_CODE_MCP_BACKEND'],
    values: ['auto', 'agent-sdk', 'cli'],
    fallback: 'auto',
    doc: 'What drives Claude Code: the Agent SDK, or the flags and streams of any claude executable, which can do a little less. auto: the Agent SDK where it is installed, else cli.',
  }),
  claudePath: text({
    flag: 'claude-path',
    env: ['CLAUDE_CODE_PATH'],
    fallback: undefined,
    doc: 'The Claude Code executable. Default: the one that comes with the Agent SDK; for the cli backend the first claude on the PATH, else that one.',
  }),
  defaultCwd: path({
    flag: 'default-cwd',
    env: ['CLAUDE_CODE_DEFAULT_CWD'],
    fallback: undefined,
    doc: "The folder of a session whose caller names none. Default: CLAUDE_PROJECT_DIR, else the server's own.",
  }),
  roots: paths({
    flag: 'roots',
    env: ['CLAUDE_CODE_MCP_ROOTS'],
    separator: delimiter,
    fallback: [],
    doc: 'Folders that sessions may work in, with everything below them. Default: anywhere but the home folder and system roots.',
  }),
  trustedRoots: paths({
    flag: 'trusted-roots',
    env: ['CLAUDE_CODE_MCP_TRUSTED_ROOTS'],
    separator: delimiter,
    fallback: [],
    doc: 'Folders whose project settings, hooks and MCP servers may be loaded, with everything below them.',
  }),
  defaultPermissionMode: choice({
    flag: 'default-permission-mode',
    env: ['CLAUDE_CODE_DEFAULT_PERMISSION_MODE'],
    values: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'],
    fallback: undefined,
    doc: "The mode of a session whose caller names none. Default: the user's own setting, else default.",
  }),
  permissionTimeoutMs: integer({
    flag: 'permission-timeout-ms',
    env: ['CLAUDE_CODE_MCP_PERMISSION_TIMEOUT_MS', 'PERMISSION_TIMEOUT_MS'],
    min: 0,
    max: 7 * day,
    fallback: 300_000,
    doc: 'How long a request waits for an answer before it is denied; also the most a caller may ask for. 0 = for ever.',
  }),
  onTimeout: choice({
    flag: 'on-timeout',
    env: ['CLAUDE_CODE_MCP_ON_TIMEOUT'],
    values: ['deny', 'interrupt'],
    fallback: 'deny',
    doc: 'What happens to a request that nobody has answered: it is denied and the turn goes on, or the turn ends.',
  }),
  callerTrust: choice({
    flag: 'caller-trust',
    env: ['CLAUDE_CODE_MCP_CALLER_TRUST'],
    values: ['standard', 'full'],
    fallback: 'standard',
    doc: 'What callers may do. standard: nothing that runs code or skips approval outside the permission system of Claude Code. full: that too.',
  }),
  callerModes: choices({
    flag: 'caller-modes',
    env: ['CLAUDE_CODE_MCP_CALLER_MODES'],
    values: permissionModes,
    fallback: permissionModes,
    doc: 'Permission modes that callers may choose, separated by commas. bypassPermissions also needs caller-trust full, or the toolset configure; the default mode can always be had.',
  }),
  approvals: choice({
    flag: 'approvals',
    env: ['CLAUDE_CODE_MCP_APPROVALS'],
    values: ['auto', 'any', 'human'],
    fallback: 'auto',
    doc: 'Who may approve. auto: callers, until a person has answered a form of theirs; then only people. any: callers always. human: only people.',
  }),
  elicitation: choice({
    flag: 'elicitation',
    env: ['CLAUDE_CODE_MCP_ELICITATION'],
    values: ['auto', 'off'],
    fallback: 'auto',
    doc: 'Whether requests are also put before a person, as a form of a client that can show one.',
  }),
  preallow: list({
    flag: 'preallow',
    env: ['CLAUDE_CODE_MCP_PREALLOW'],
    fallback: undefined,
    doc: 'Tools and rules that callers may have run unasked, separated by commas; * for all. Default: all where nobody but the caller can be asked, else Read, Glob, Grep and TodoWrite. With approvals human a rule with a pattern is still asked.',
  }),
  allowedTools: list({
    flag: 'allowed-tools',
    env: ['CLAUDE_CODE_ALLOWED_TOOLS'],
    fallback: undefined,
    doc: 'Default and ceiling of what callers may have run unasked.',
  }),
  ...historySettings,
  ...spendingSettings,
  ...auditSettings,
  maxSessions: integer({
    flag: 'max-sessions',
    env: ['CLAUDE_CODE_MCP_MAX_SESSIONS', 'MAX_SESSIONS'],
    min: 1,
    max: 200,
    fallback: 10,
    doc: 'How many Claude Code processes may live at once. Idle ones make room.',
  }),
  maxWaitMs: integer({
    flag: 'max-wait-ms',
    env: ['CLAUDE_CODE_MCP_MAX_WAIT_MS'],
    min: 0,
    max: 3_600_000,
    fallback: 45_000,
    doc: 'The longest a call waits. Many clients give up after 60 s.',
  }),
  maxExecutionTime: integer({
    flag: 'max-execution-time',
    env: ['CLAUDE_CODE_MAX_EXECUTION_TIME'],
    min: 1_000,
    max: day,
    fallback: 300_000,
    doc: 'How long a query may run, in milliseconds; also the most a caller may ask for. The clock stands still while a person is asked.',
  }),
  idleProcessMs: integer({
    flag: 'idle-process-ms',
    env: ['CLAUDE_CODE_MCP_IDLE_PROCESS_MS'],
    min: 0,
    max: day,
    fallback: 300_000,
    doc: 'An idle Claude Code process is closed after this; the next reply resumes it.',
  }),
  sessionTtlMs: integer({
    flag: 'session-ttl-ms',
    env: ['CLAUDE_CODE_MCP_SESSION_TTL_MS'],
    min: 1_000,
    max: 365 * day,
    fallback: 1_800_000,
    doc: 'An idle session leaves memory after this; it can still be resumed by its id.',
  }),
  runningSessionMaxMs: integer({
    flag: 'running-session-max-ms',
    env: ['CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS'],
    min: 1_000,
    max: 7 * day,
    fallback: 14_400_000,
    doc: 'The longest a turn may last, waiting for people included.',
  }),
  cleanupIntervalMs: integer({
    flag: 'cleanup-interval-ms',
    env: ['CLAUDE_CODE_MCP_CLEANUP_INTERVAL_MS'],
    min: 1_000,
    max: day,
    fallback: 60_000,
    doc: 'How often idle sessions are looked for.',
  }),
  eventBufferSize: integer({
    flag: 'event-buffer-size',
    env: ['CLAUDE_CODE_MCP_EVENT_BUFFER_SIZE', 'EVENT_BUFFER_SIZE'],
    min: 10,
    max: 100_000,
    fallback: 1_000,
    doc: 'How many events of a session are kept; results and requests are kept longest.',
  }),
  stateDir: path({
    flag: 'state-dir',
    env: ['CLAUDE_CODE_MCP_STATE_DIR'],
    fallback: undefined,
    doc: 'Where records of sessions are kept. Default: claude-code-mcp in the state folder of the user.',
  }),
  maxDepth: integer({
    flag: 'max-depth',
    env: ['CLAUDE_CODE_MCP_MAX_DEPTH'],
    min: 0,
    max: 5,
    fallback: 0,
    doc: 'How deep sessions may start sessions of their own. 0 = not at all.',
  }),
  checkResponds: flag({
    flag: 'check-responds',
    env: ['CLAUDE_CODE_MCP_CHECK_RESPONDS'],
    fallback: false,
    doc: 'Serve four tools, with claude_code_check also answering requests.',
  }),
  structured: flag({
    flag: 'structured',
    env: ['CLAUDE_CODE_MCP_STRUCTURED'],
    fallback: false,
    doc: 'Give tools an output schema, and results structured content besides the text. Some clients show both.',
  }),
  dynamicTools: flag({
    flag: 'dynamic-tools',
    env: ['CLAUDE_CODE_MCP_DYNAMIC_TOOLS'],
    fallback: false,
    doc: 'Name the tools of Claude Code in the description of claude_code, once they are known.',
  }),
  ...metricsSettings,
  logLevel: choice({
    flag: 'log-level',
    env: ['CLAUDE_CODE_MCP_LOG_LEVEL', 'LOG_LEVEL'],
    values: ['debug', 'info', 'warn', 'error'],
    fallback: 'info',
    doc: 'What goes to stderr.',
  }),
} as const;

export type Settings = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

export type SettingKey = keyof Settings;

/** The table as rows, for whoever treats all settings alike. */
export const settingRows = Object.entries(settings) as readonly (readonly [SettingKey, Setting<unknown>])[];

/** How deep the server itself is nested; set by us in the environment of every session. */
export const depthVariable = 'CLAUDE_CODE_MCP_DEPTH';

/** Names that are kept for settings to come; some of them will hold secrets. */
const reservedVariables = ['CLAUDE_CODE_MCP_HTTP_TOKEN'] as const;

/** Variables of ours that no session may see. */
export const ownVariables: ReadonlySet<string> = new Set([
  depthVariable,
  ...reservedVariables,
  ...Object.values(settings).flatMap((setting) => setting.env),
]);
