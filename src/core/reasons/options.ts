import type { Keys, ReasonTable } from './reason.js';

/** The longest of what a process would be started with. */
type LongestPart =
  { readonly flag: string; readonly bytes: number } | { readonly variable: string; readonly bytes: number };

interface Folder {
  /**
   * The option that names it: `defaultCwd` if the caller has named none, and `sessionCwd` for the folder of a session that
   * is continued, which no caller can change.
   */
  readonly option: string;
  readonly path: string;
}

function named(option: string, keys: Keys): string {
  if (option === 'defaultCwd') return 'the default folder';
  return option === 'sessionCwd' ? "the session's folder" : keys(option);
}

/** Session options that are invalid, or that the operator does not allow callers to set. */
export const optionReasons = {
  folder_unusable: {
    code: 'INVALID_ARGUMENT',
    message: (
      {
        option,
        path,
        problem,
      }: Folder & {
        readonly problem: FolderProblem;
        /** The absolute path, where the caller wrote `~`. */
        readonly meant?: string | undefined;
      },
      keys,
    ) => `${named(option, keys)} ${path} ${problem}`,
  },
  folder_outside_roots: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder & { readonly roots: readonly string[] }, keys) =>
      `${named(option, keys)} ${path} is outside the folders that this server allows`,
  },
  folder_too_wide: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path, what }: Folder & { readonly what: WideFolder }, keys) =>
      `${named(option, keys)} ${path} is not allowed: it is ${what}`,
  },
  folder_has_audit_log: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder, keys) =>
      `${named(option, keys)} ${path} is not allowed: it contains the audit log`,
  },
  folder_has_own_files: {
    code: 'PERMISSION_DENIED',
    message: ({ option, path }: Folder, keys) =>
      `${named(option, keys)} ${path} is not allowed: this server stores its own files there`,
  },
  folder_fixed: {
    code: 'INVALID_ARGUMENT',
    message: () => 'a session cannot move to another folder',
  },
  folder_moved: {
    code: 'PERMISSION_DENIED',
    message: ({ path }: Pick<Folder, 'path'>) =>
      `${path} leads to a different folder than when the session started`,
  },
  persistence_fixed: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `${keys('persistSession')} cannot change after a session has started`,
  },
  path_relative: {
    code: 'INVALID_ARGUMENT',
    message: ({ option, path }: Folder, keys) => `${keys(option)} ${path} is not an absolute path`,
  },
  schema_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ problem }: { readonly problem: string }, keys) => `${keys('outputFormat')}.${problem}`,
  },
  launch_too_long: {
    code: 'INVALID_ARGUMENT',
    message: (part: LongestPart) =>
      'variable' in part
        ? `the environment of this session is too long: Claude Code would get ${part.bytes} bytes in its variable ${part.variable}, more than the system allows`
        : `the options of this session are too long: Claude Code would get ${part.bytes} bytes in its argument ${part.flag}, more than the system allows`,
  },
  tool_misspelled: {
    code: 'INVALID_ARGUMENT',
    message: (
      { option, name }: { readonly option: string; readonly name: string; readonly meant: string },
      keys,
    ) => `${keys(option)} "${name}" is not a tool of Claude Code`,
  },
  tool_list_needed: {
    code: 'INVALID_ARGUMENT',
    message: ({ option, name }: { readonly option: string; readonly name: string }, keys) =>
      `${keys(option)} "${name}" is not a tool of Claude Code`,
  },
  tool_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ name }: { readonly name: string }, keys) =>
      `${keys('tools')} "${name}" is unknown to Claude Code`,
  },
  agent_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ agent }: { readonly agent: string; readonly agents: readonly string[] }, keys) =>
      `${keys('agent')} "${agent}" is unknown to Claude Code`,
  },
  sandbox_unavailable: {
    code: 'UNAVAILABLE',
    message: ({ problem }: { readonly problem: string }) => `Claude Code cannot use the sandbox: ${problem}`,
  },
  server_name_taken: {
    code: 'PERMISSION_DENIED',
    message: ({ name, problem }: { readonly name: string; readonly problem: string }, keys) =>
      `${keys(`mcpServers.${name}`)} is not allowed: ${problem}`,
  },
  option_untrusted: {
    code: 'PERMISSION_DENIED',
    message: ({ path, problem }: { readonly path: readonly string[]; readonly problem: string }, keys) =>
      `callers may not set ${keys(path.join('.'))}: it ${problem}`,
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
    ) => `${keys(option)} ${asked} exceeds the operator's limit of ${cap}`,
  },
  pre_approval_refused: {
    code: 'PERMISSION_DENIED',
    message: (
      {
        option,
        rule,
        isUnlisted,
        setting,
      }: {
        readonly option: string;
        readonly rule: string;
        readonly isUnlisted: boolean;
        readonly setting: PreallowSetting;
        readonly harmless: readonly string[];
      },
      keys,
    ) =>
      `${keys(option)} "${rule}" is not allowed: it would run without approval${isUnlisted ? `, and ${setting} does not list it` : ''}`,
  },
  pre_approval_outside: {
    code: 'PERMISSION_DENIED',
    message: (
      { option, rule }: { readonly option: string; readonly rule: string; readonly setting: PreallowSetting },
      keys,
    ) => `${keys(option)} "${rule}" is not allowed: it reaches outside the session's folders`,
  },
  mode_unlisted: {
    code: 'PERMISSION_DENIED',
    message: ({ mode }: { readonly mode: string; readonly modes: readonly string[] }, keys) =>
      `callers may not choose ${keys('permissionMode', mode)} on this server`,
  },
  mode_auto_approving: {
    code: 'PERMISSION_DENIED',
    message: ({ mode }: { readonly mode: string }, keys) =>
      `${keys('permissionMode', mode)} is not allowed: it would run edits without approval`,
  },
  bypass_refused: {
    code: 'PERMISSION_DENIED',
    message: (
      _params: {
        /** Those that the caller may choose instead. */
        readonly modes: readonly string[];
        /** Whether only people may approve, and allow this mode. */
        readonly isPersonNeeded: boolean;
      },
      keys,
    ) => `callers may not use ${keys('permissionMode', 'bypassPermissions')} on this server`,
  },
  bypass_too_late: {
    code: 'PERMISSION_DENIED',
    message: () => 'only new sessions can use bypassPermissions',
  },
  bypass_needs_person: {
    code: 'PERMISSION_DENIED',
    message: (_params: { readonly canAskPerson: boolean }) =>
      'only a person may enable bypassPermissions on this server',
  },
  user_settings_left_out: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `${keys('settingSources')} must include "user", which holds the user's deny rules`,
  },
  rules_too_long: {
    code: 'PERMISSION_DENIED',
    message: ({ bytes, limit }: { readonly bytes: number; readonly limit: number }) =>
      `the permission rules for this folder have ${bytes} bytes; the limit is ${limit}`,
  },
  settings_too_long: {
    code: 'PERMISSION_DENIED',
    message: ({ path, limit }: { readonly path: string; readonly limit: number }) =>
      `the settings file ${path} is longer than ${limit} bytes`,
  },
  slash_commands_skip_approval: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) =>
      `${keys('slashCommands')} cannot be used in plan mode, or where only a person may approve: slash commands run shell commands without approval`,
  },
  slash_commands_unlisted: {
    code: 'PERMISSION_DENIED',
    message: ({ setting }: { readonly setting: PreallowSetting }, keys) =>
      `${keys('slashCommands')} is not allowed: a slash command can run tools without approval that ${setting} does not list`,
  },
  slash_commands_untrusted: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) => `${keys('slashCommands')} needs a folder that the user trusts`,
  },
  agent_skills_skip_approval: {
    code: 'PERMISSION_DENIED',
    message: ({ option }: { readonly option: string }, keys) =>
      `${keys(option)} cannot be used in plan mode, or where only a person may approve: the skills of an agent run shell commands without approval`,
  },
} as const satisfies ReasonTable;

type FolderProblem = 'is not an absolute path' | 'does not exist' | 'is not a folder';

type WideFolder =
  | 'the root of the file system'
  | 'the home folder or a parent of it'
  | 'where Claude Code keeps its settings and credentials'
  | 'where the system shows its processes and devices'
  | 'where the system has a second name for every file'
  | 'where programs keep keys and passwords';

/** The variables that can hold the list of rules that callers may pre-approve. */
export type PreallowSetting = 'CLAUDE_CODE_MCP_PREALLOW' | 'CLAUDE_CODE_ALLOWED_TOOLS';

type CapSetting = 'CLAUDE_CODE_MCP_MAX_TURNS' | 'CLAUDE_CODE_MCP_MAX_BUDGET_USD';
