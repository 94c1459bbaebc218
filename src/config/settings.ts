import { delimiter, join, resolve } from 'node:path';
import { permissionModes } from '../core/options/permission-modes.js';
import {
  choice,
  choices,
  dollars,
  executable,
  integer,
  onOff,
  path,
  paths,
  secret,
  toolRules,
  type Kind,
  type Setting,
} from './setting.js';
import { observability } from './observability-settings.js';
import { page, service } from './service-settings.js';

type Table = Readonly<Record<string, Setting>>;

const day = 86_400_000;

const tools = {
  toolsets: {
    kind: choices('async', 'sessions', 'query', 'configure', 'view', 'codex'),
    env: ['CLAUDE_CODE_MCP_TOOLSETS'],
    fallback: ['async'],
    doc: 'Tools to serve, separated by commas. async: five tools whose calls can wait for progress. sessions: six tools that return at once. query: one tool that runs to completion. configure: lets callers switch off approvals for new sessions. view: shows requests and sessions inside clients with MCP Apps. codex: the two tools of the retired codex mcp-server.',
  },
  checkResponds: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_CHECK_RESPONDS'],
    fallback: false,
    doc: 'Serve four async tools instead of five: claude_code_check also answers requests.',
  },
  structured: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_STRUCTURED'],
    fallback: false,
    doc: 'Serve output schemas, and return structured content in addition to text. Some clients show both.',
  },
  dynamicTools: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_DYNAMIC_TOOLS'],
    fallback: false,
    doc: "List Claude Code's tools in the description of claude_code once they are known.",
  },
  maxWaitMs: {
    kind: integer(0, 3_600_000),
    env: ['CLAUDE_CODE_MCP_MAX_WAIT_MS'],
    fallback: undefined,
    doc: 'Longest time in milliseconds that a call waits for progress. Default: what is safe for the client, and 45 seconds for an unknown client. See docs/clients.md.',
  },
  maxExecutionTime: {
    kind: integer(1_000, day),
    env: ['CLAUDE_CODE_MAX_EXECUTION_TIME'],
    fallback: 300_000,
    doc: 'Timeout of a query in milliseconds, and the longest timeout that a caller can request. The clock stops while a person decides.',
  },
} as const satisfies Table;

const claudeCode = {
  backend: {
    kind: choice('auto', 'agent-sdk', 'cli'),
    env: ['CLAUDE_CODE_MCP_BACKEND'],
    fallback: 'auto',
    doc: 'How the server drives Claude Code. agent-sdk: through the Agent SDK. cli: through the flags and streams of any claude executable. auto: agent-sdk if it is installed, otherwise cli.',
  },
  claudePath: {
    kind: executable,
    env: ['CLAUDE_CODE_PATH'],
    fallback: undefined,
    doc: 'The Claude Code executable. Default: the executable bundled with the Agent SDK; the cli backend prefers the first claude on the PATH.',
  },
  startTimeoutMs: {
    kind: integer(1_000, 600_000),
    env: ['CLAUDE_CODE_MCP_START_TIMEOUT_MS'],
    fallback: undefined,
    doc: 'Time in which Claude Code must start. Default: 10,000.',
  },
  sandbox: {
    kind: choice('user', 'on'),
    env: ['CLAUDE_CODE_MCP_SANDBOX'],
    fallback: 'user',
    doc: "Whether commands run in a sandbox. user: as in the user's Claude Code settings. on: in every session, which fails if no sandbox is available. Commands in it still need approval. Only callers with CLAUDE_CODE_MCP_CALLER_TRUST=full can turn it off.",
  },
  maxDepth: {
    kind: integer(0, 5),
    env: ['CLAUDE_CODE_MCP_MAX_DEPTH'],
    fallback: 0,
    doc: 'How deeply sessions may nest; 0 means that a session cannot start other sessions.',
  },
} as const satisfies Table;

const folders = {
  defaultCwd: {
    kind: path,
    env: ['CLAUDE_CODE_DEFAULT_CWD'],
    fallback: undefined,
    doc: "Working folder of a session when the caller names none. Default: CLAUDE_PROJECT_DIR, otherwise the server's own folder.",
  },
  roots: {
    kind: paths(delimiter),
    env: ['CLAUDE_CODE_MCP_ROOTS'],
    fallback: [],
    doc: 'Folders in which sessions may work, including everything below them. Default: anywhere except the home folder and system roots.',
  },
  trustedRoots: {
    kind: paths(delimiter),
    env: ['CLAUDE_CODE_MCP_TRUSTED_ROOTS'],
    fallback: [],
    doc: 'Folders whose project settings, hooks and MCP servers sessions may load, including everything below them.',
  },
} as const satisfies Table;

const approvals = {
  approvals: {
    kind: choice('auto', 'any', 'human'),
    env: ['CLAUDE_CODE_MCP_APPROVALS'],
    fallback: 'auto',
    doc: 'Who may approve requests. any: callers. human: only people. auto: callers, until a person has answered a form in their client, or on the page; from then on only people. The default of serve is human.',
  },
  elicitation: {
    kind: choice('auto', 'off'),
    env: ['CLAUDE_CODE_MCP_ELICITATION'],
    fallback: 'auto',
    doc: 'Whether to show requests to a person as forms. auto: in clients that support forms. off: never.',
  },
  callerTrust: {
    kind: choice('standard', 'full'),
    env: ['CLAUDE_CODE_MCP_CALLER_TRUST'],
    fallback: 'standard',
    doc: "How much to trust callers. standard: they cannot run code or skip approval outside Claude Code's permission system. full: they can.",
  },
  callerModes: {
    kind: choices(...permissionModes),
    env: ['CLAUDE_CODE_MCP_CALLER_MODES'],
    fallback: permissionModes,
    doc: 'Permission modes that callers may choose, separated by commas. The mode "default" is always allowed. "bypassPermissions" also needs CLAUDE_CODE_MCP_CALLER_TRUST=full or the toolset "configure". Default: all.',
  },
  defaultPermissionMode: {
    kind: choice('default', 'acceptEdits', 'plan', 'dontAsk', 'auto'),
    env: ['CLAUDE_CODE_DEFAULT_PERMISSION_MODE'],
    fallback: undefined,
    doc: "Permission mode of a session when the caller names none. Default: the mode in the user's Claude Code settings, otherwise 'default'.",
  },
  preallow: {
    kind: toolRules,
    env: ['CLAUDE_CODE_MCP_PREALLOW'],
    fallback: undefined,
    doc: 'Tools and rules that callers may pre-approve, separated by commas, or * for all. Rules with a pattern still need approval with CLAUDE_CODE_MCP_APPROVALS=human. Unless the list contains *, pre-approved reading and editing covers only the folders of the session and the paths listed here. Default: all where only the caller can approve, otherwise Read, Glob, Grep and TodoWrite.',
  },
  allowedTools: {
    kind: toolRules,
    env: ['CLAUDE_CODE_ALLOWED_TOOLS'],
    fallback: undefined,
    doc: 'Tools that run without approval when the caller lists none. Without CLAUDE_CODE_MCP_PREALLOW, callers cannot pre-approve any others.',
  },
  permissionTimeoutMs: {
    kind: integer(0, 7 * day),
    env: ['CLAUDE_CODE_MCP_PERMISSION_TIMEOUT_MS', 'PERMISSION_TIMEOUT_MS'],
    fallback: 300_000,
    doc: 'Time until an unanswered request is denied, and the longest timeout that a caller can request. 0 means no timeout.',
  },
  onTimeout: {
    kind: choice('deny', 'interrupt'),
    env: ['CLAUDE_CODE_MCP_ON_TIMEOUT'],
    fallback: 'deny',
    doc: 'What happens when a request times out. deny: the request is denied and the turn continues. interrupt: the turn ends.',
  },
} as const satisfies Table;

const limits = {
  maxTurns: {
    kind: integer(0, 10_000),
    env: ['CLAUDE_CODE_MCP_MAX_TURNS'],
    fallback: 0,
    doc: 'Maximum number of model calls per prompt, including those of subagents (0: no limit). The server refuses a request for more.',
  },
  maxBudgetUsd: {
    kind: dollars,
    env: ['CLAUDE_CODE_MCP_MAX_BUDGET_USD'],
    fallback: undefined,
    doc: 'Maximum cost of a session in US dollars. The server refuses a request for more. Default: no limit.',
  },
  maxBudgetUsdPerDay: {
    kind: dollars,
    env: ['CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY'],
    fallback: undefined,
    doc: 'Maximum cost of all sessions together per day, in US dollars. Default: no limit.',
  },
} as const satisfies Table;

const sessions = {
  maxSessions: {
    kind: integer(1, 200),
    env: ['CLAUDE_CODE_MCP_MAX_SESSIONS', 'MAX_SESSIONS'],
    fallback: 10,
    doc: 'Maximum number of Claude Code processes at a time. The server closes an idle process when another session needs its slot.',
  },
  idleProcessMs: {
    kind: integer(0, day),
    env: ['CLAUDE_CODE_MCP_IDLE_PROCESS_MS'],
    fallback: 300_000,
    doc: 'Close an idle Claude Code process after this time. The next reply resumes the session.',
  },
  spare: {
    kind: integer(0, 4),
    env: ['CLAUDE_CODE_MCP_SPARE'],
    fallback: 0,
    doc: 'Number of Claude Code processes that are kept ready, so that new sessions start faster. They start after a session without options of its own, count towards CLAUDE_CODE_MCP_MAX_SESSIONS, and close after CLAUDE_CODE_MCP_IDLE_PROCESS_MS. Each needs about 200 MB.',
  },
  sessionTtlMs: {
    kind: integer(1_000, 365 * day),
    env: ['CLAUDE_CODE_MCP_SESSION_TTL_MS'],
    fallback: 1_800_000,
    doc: 'Remove an idle session from memory after this time, or earlier if idle sessions fill 64 MiB. It can still be resumed by its id.',
  },
  runningSessionMaxMs: {
    kind: integer(1_000, 7 * day),
    env: ['CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS'],
    fallback: 14_400_000,
    doc: 'Longest time that a turn may take once Claude Code is ready, including time spent waiting for people.',
  },
  cleanupIntervalMs: {
    kind: integer(1_000, day),
    env: ['CLAUDE_CODE_MCP_CLEANUP_INTERVAL_MS'],
    fallback: 60_000,
    doc: 'How often the server removes idle sessions.',
  },
  eventBufferSize: {
    kind: integer(10, 100_000),
    env: ['CLAUDE_CODE_MCP_EVENT_BUFFER_SIZE', 'EVENT_BUFFER_SIZE'],
    fallback: 1_000,
    doc: 'Number of events to keep per session. Results and requests are kept longest.',
  },
  stateDir: {
    kind: path,
    env: ['CLAUDE_CODE_MCP_STATE_DIR'],
    fallback: undefined,
    doc: "Folder for session records and the key of the audit log. Default: claude-code-mcp in the user's state folder.",
  },
  keepDays: {
    kind: integer(0, 36_500),
    env: ['CLAUDE_CODE_MCP_KEEP_DAYS'],
    fallback: 90,
    doc: 'Delete the record of a session this many days after its last use. 0 keeps all records.',
  },
  stateMaxMb: {
    kind: integer(0, 1_000_000),
    env: ['CLAUDE_CODE_MCP_STATE_MAX_MB'],
    fallback: 500,
    doc: 'Maximum size of the state folder in MiB. Above it, the oldest records are deleted, except those of the last two days. 0 means no limit.',
  },
} as const satisfies Table;

const history = {
  history: {
    kind: choice('off', 'list', 'resume', 'read'),
    env: ['CLAUDE_CODE_MCP_HISTORY'],
    fallback: 'resume',
    doc: 'Access to sessions that this server did not start. off: none. list: callers can list them. resume: list and resume. read: list, resume and read their transcripts. The default of serve is off.',
  },
  allowDiskResume: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_ALLOW_DISK_RESUME'],
    fallback: true,
    doc: 'Allow callers to resume sessions that this server did not start.',
  },
  resumeSecret: {
    kind: secret(16),
    env: ['CLAUDE_CODE_MCP_RESUME_SECRET'],
    fallback: undefined,
    doc: 'Secret that signs resume tokens. When it is set, resuming a session that this server did not start requires its token.',
    isSecret: true,
  },
  allowSensitiveDetails: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS'],
    fallback: false,
    doc: "Allow callers to read a session's system prompt, agents and additional folders, and the usage of each folder.",
  },
} as const satisfies Table;

/** Everything an operator can set. */
export const settings = {
  ...approvals,
  ...folders,
  ...tools,
  ...claudeCode,
  ...limits,
  ...sessions,
  ...history,
  ...observability,
  ...page,
  ...service,
} as const;

export type Settings = {
  readonly [K in keyof typeof settings]: ValueOf<(typeof settings)[K]>;
};

type ValueOf<S extends Setting> =
  (S['kind'] extends Kind<infer T> ? T : never) | Extract<S['fallback'], undefined>;

export type SettingKey = keyof Settings;

export interface SettingRow extends Setting {
  readonly key: SettingKey;
  /** Without the leading dashes. */
  readonly flag: string;
}

/** The settings by purpose, for help and docs. */
export const settingGroups: readonly { readonly title: string; readonly rows: readonly SettingRow[] }[] = [
  { title: 'Approvals and permissions', rows: rowsOf(approvals) },
  { title: 'Folders', rows: rowsOf(folders) },
  { title: 'Tools', rows: rowsOf(tools) },
  { title: 'Claude Code', rows: rowsOf(claudeCode) },
  { title: 'Cost limits', rows: rowsOf(limits) },
  { title: 'Sessions and processes', rows: rowsOf(sessions) },
  { title: 'Session history', rows: rowsOf(history) },
  { title: 'Logs, audit log and metrics', rows: rowsOf(observability) },
  { title: 'Page', rows: rowsOf(page) },
  { title: 'Service (claude-code-mcp serve)', rows: rowsOf(service) },
];

export const settingRows: readonly SettingRow[] = settingGroups.flatMap(({ rows }) => rows);

function rowsOf(table: Table): SettingRow[] {
  return Object.entries(table).map(([key, setting]) => ({
    key: key as SettingKey,
    flag: key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    ...setting,
  }));
}

/** The nesting depth. The server sets it in the environment of every session. */
export const depthVariable = 'CLAUDE_CODE_MCP_DEPTH';

/** Reserved for future settings, which may contain secrets. */
const reservedVariables = ['CLAUDE_CODE_MCP_HTTP_TOKEN'] as const;

/** The token of `connect`. No setting, because settings are printed and saved. */
export const tokenVariable = 'CLAUDE_CODE_MCP_TOKEN';

/** Variables of this server, which sessions must not see. */
export const ownVariables: ReadonlySet<string> = new Set([
  depthVariable,
  tokenVariable,
  ...reservedVariables,
  ...settingRows.flatMap(({ env }) => env),
]);

/** The folder for the server's own files. */
export function stateDirOf(
  { stateDir }: Pick<Settings, 'stateDir'>,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const base = environment['XDG_STATE_HOME'] || join(home, '.local', 'state');
  return resolve(stateDir ?? join(base, 'claude-code-mcp'));
}

/** The working folder of a session when the caller names none. */
export function defaultCwdOf(
  { defaultCwd }: Pick<Settings, 'defaultCwd'>,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  return defaultCwd ?? (environment['CLAUDE_PROJECT_DIR'] || cwd);
}
