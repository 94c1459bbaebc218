import type { ReasonTable } from './reason.js';

interface Folder {
  /** The option that names it. */
  readonly option: string;
  readonly path: string;
}

/** What the backend of this server lacks to keep pre-approved tools within bounds. */
interface Unbounded {
  readonly backend: string;
  readonly isPlanMode: boolean;
}

/** Options of a session that cannot be, or that the operator does not let callers have. */
export const optionReasons = {
  folder_unusable: {
    code: 'INVALID_ARGUMENT',
    message: ({ option, path, problem }: Folder & { readonly problem: FolderProblem }, keys) =>
      `${keys(option)} ${path} ${problem}`,
  },
  folder_outside_roots: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder, keys) =>
      `${keys(option)} ${path} is outside the folders of this server`,
  },
  folder_too_wide: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path, what }: Folder & { readonly what: WideFolder }, keys) =>
      `${keys(option)} ${path} is refused: it is ${what}`,
  },
  folder_has_audit_log: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder, keys) =>
      `${keys(option)} ${path} is refused: the audit log lies in it`,
  },
  folder_has_own_files: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder, keys) =>
      `${keys(option)} ${path} is refused: this server keeps its own files there`,
  },
  folder_fixed: {
    code: 'INVALID_ARGUMENT',
    message: () => 'a session stays in the folder in which it began',
  },
  persistence_fixed: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) => `${keys('persistSession')} is decided when a session starts`,
  },
  path_relative: {
    code: 'INVALID_ARGUMENT',
    message: ({ option, path }: Folder, keys) => `${keys(option)} ${path} is not an absolute path`,
  },
  schema_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ problem }: { readonly problem: string }, keys) => `${keys('outputFormat')}.${problem}`,
  },
  option_unsupported: {
    code: 'INVALID_ARGUMENT',
    message: (
      { backend, options }: { readonly backend: string; readonly options: readonly string[] },
      keys,
    ) =>
      `the ${backend} backend of this server (CLAUDE_CODE_MCP_BACKEND=${backend}) has no way to pass on ${options.map(keys).join(', ')}`,
  },
  server_name_reserved: {
    code: 'INVALID_ARGUMENT',
    message: ({ backend, name }: { readonly backend: string; readonly name: string }) =>
      `the ${backend} backend of this server needs the name "${name}" for an MCP server of its own`,
  },
  server_name_taken: {
    code: 'PERMISSION_DENIED',
    message: ({ name, rule }: { readonly name: string; readonly rule: string }, keys) =>
      `${keys(`mcpServers.${name}`)}: the rule "${rule}" lets tools of a server of this name run unasked`,
  },
  option_untrusted: {
    code: 'PERMISSION_DENIED',
    message: ({ path, problem }: { readonly path: readonly string[]; readonly problem: string }, keys) =>
      `${keys(path.join('.'))} ${problem}: callers may not set it here`,
  },
  over_cap: {
    code: 'PERMISSION_DENIED',
    message: (
      {
        option,
        asked,
        cap,
      }: {
        readonly option: string;
        readonly asked: number;
        readonly cap: number;
        readonly setting: CapSetting;
      },
      keys,
    ) => `${keys(option)} ${asked} is more than the ${cap} that the operator grants`,
  },
  pre_approval_refused: {
    code: 'PERMISSION_DENIED',
    message: (
      {
        option,
        rule,
      }: { readonly option: string; readonly rule: string; readonly harmless: readonly string[] },
      keys,
    ) => `${keys(option)} "${rule}" would run unasked`,
  },
  pre_approval_unbounded: {
    code: 'PERMISSION_DENIED',
    message: (unbounded: Unbounded, keys) => `${keys('allowedTools')} ${unboundedIn(unbounded)}`,
  },
  mode_unlisted: {
    code: 'PERMISSION_DENIED',
    message: ({ mode }: { readonly mode: string; readonly modes: readonly string[] }, keys) =>
      `callers may not choose ${keys('permissionMode')} "${mode}" on this server`,
  },
  mode_unasking: {
    code: 'PERMISSION_DENIED',
    message: ({ mode }: { readonly mode: string }, keys) =>
      `${keys('permissionMode')} "${mode}" would run edits unasked`,
  },
  bypass_refused: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `callers may not use ${keys('permissionMode')} "bypassPermissions" on this server`,
  },
  bypass_too_late: {
    code: 'PERMISSION_DENIED',
    message: () => 'bypassPermissions is for new sessions',
  },
  bypass_needs_person: {
    code: 'PERMISSION_DENIED',
    message: (_params: { readonly canAskPerson: boolean }) =>
      'only a person may enable bypassPermissions here',
  },
  user_settings_left_out: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `${keys('settingSources')} must keep "user": it holds the user's deny rules`,
  },
  slash_commands_unasked: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `${keys('slashCommands')} cannot be combined with plan mode or human-only approvals: slash commands run shell lines without asking`,
  },
  slash_commands_untrusted: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `${keys('slashCommands')} needs a folder that the user has trusted`,
  },
  permission_updates_unbounded: {
    code: 'PERMISSION_DENIED',
    message: (unbounded: Unbounded, keys) => `${keys('updatedPermissions')} ${unboundedIn(unbounded)}`,
  },
} as const satisfies ReasonTable;

type FolderProblem = 'is not an absolute path' | 'does not exist' | 'is not a folder';

type WideFolder =
  | 'the root of the file system'
  | 'the home folder or above it'
  | 'where Claude Code keeps its settings and credentials';

type CapSetting =
  'CLAUDE_CODE_MCP_MAX_TURNS' | 'CLAUDE_CODE_MCP_MAX_BUDGET_USD' | 'CLAUDE_CODE_MAX_EXECUTION_TIME';

function unboundedIn({ backend, isPlanMode }: Unbounded): string {
  const where = isPlanMode ? 'in plan mode' : 'where only people approve or CLAUDE_CODE_MCP_ROOTS is set';
  return `cannot be kept within bounds ${where} by the ${backend} backend (CLAUDE_CODE_MCP_BACKEND=${backend}), which sees a call only when Claude Code asks`;
}
