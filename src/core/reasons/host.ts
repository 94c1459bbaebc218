import type { ReasonTable } from './reason.js';

interface FailedStart {
  readonly problem: string;
  /** The last lines that Claude Code wrote to stderr; may be empty. */
  readonly stderrTail: string;
}

/** The machine, this server and Claude Code itself. */
export const hostReasons = {
  init_timeout: {
    code: 'TIMEOUT',
    message: ({ limitMs, stderrTail }: { readonly limitMs: number; readonly stderrTail: string }) =>
      `Claude Code was not ready within ${limitMs} ms${quote(stderrTail)}`,
  },
  no_process_to_spare: {
    code: 'UNAVAILABLE',
    message: ({ problem }: { readonly problem: string }) => problem,
    isTransient: true,
  },
  claude_not_started: {
    code: 'UNAVAILABLE',
    message: ({ problem, stderrTail }: FailedStart) => `${problem}${quote(stderrTail)}`,
  },
  claude_ended_early: {
    code: 'UNAVAILABLE',
    message: ({ problem, stderrTail }: FailedStart) => `${problem}${quote(stderrTail)}`,
  },
  sdk_missing: {
    code: 'UNAVAILABLE',
    message: (_params: { readonly packageName: string }) =>
      'the Claude Agent SDK is not installed with this server',
  },
  not_signed_in: {
    code: 'UNAVAILABLE',
    message: (_params: {
      readonly executable: string;
      /** CLAUDE_CONFIG_DIR of the server, if it has one. */
      readonly configDir?: string | undefined;
      /** Whether it was noticed before the first turn, so that there is no session to continue. */
      readonly isStart?: boolean;
    }) => 'Claude Code is not signed in',
  },
  executable_in_folder: {
    code: 'PERMISSION_DENIED',
    message: ({ executable }: { readonly executable: string }) =>
      `Claude Code was not started: its executable (CLAUDE_CODE_PATH=${executable}) is inside a folder of this session, which could replace it`,
  },
  version_unfit: {
    code: 'UNAVAILABLE',
    message: ({
      executable,
      found,
      needed,
    }: {
      readonly executable: string;
      readonly found: string;
      readonly needed: string;
    }) =>
      `the cli backend needs Claude Code ${needed}, but ${executable} --version printed ${found === '' ? 'no version' : `"${found.slice(0, 80)}"`}`,
  },
  version_unknown: {
    code: 'UNAVAILABLE',
    message: ({ executable, limitMs }: { readonly executable: string; readonly limitMs: number }) =>
      `${executable} --version did not finish within ${limitMs / 1_000} s`,
  },
  change_refused: {
    code: 'UNAVAILABLE',
    message: ({ option, problem }: { readonly option: string; readonly problem: string }, keys) =>
      `Claude Code did not accept the new ${keys(option)}: ${problem}`,
  },
  restore_failed: {
    code: 'UNAVAILABLE',
    message: ({ problem }: { readonly problem: string }) =>
      `Claude Code could not restore the files: ${problem}`,
  },
  session_not_lockable: {
    code: 'UNAVAILABLE',
    message: ({ problem }: { readonly problem: string }) => `the session could not be locked (${problem})`,
  },
  state_folder_unsafe: {
    code: 'UNAVAILABLE',
    message: ({ path, problem }: { readonly path: string; readonly problem: string }) =>
      `the state folder cannot be used: ${path} ${problem}`,
  },
  state_newer: {
    code: 'UNAVAILABLE',
    message: () => 'the state folder was written by a newer version of this server',
  },
  not_saved: {
    code: 'UNAVAILABLE',
    message: ({ problem }: { readonly problem: string }) =>
      `this change could not be saved, so it was not confirmed (${problem})`,
  },
  audit_unwritable: {
    code: 'UNAVAILABLE',
    message: ({ path }: { readonly path: string }) =>
      `the audit log ${path} cannot be written, and this server refuses actions that it cannot record`,
  },
  processes_busy: {
    code: 'RESOURCE_EXHAUSTED',
    message: ({ limit, holders }: { readonly limit: number; readonly holders: readonly string[] }) =>
      `all ${limit} live processes are busy${holders.length === 0 ? '' : `: ${holders.join(', ')}`}`,
  },
  budget_reserved: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => 'the budget is reserved for running turns',
  },
  no_budget: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => "the operator's budget for each session is 0",
  },
  day_budget_spent: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => "this server's budget for today is spent",
  },
  session_budget_spent: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => 'the session has cost as much as the operator allows',
  },
  budget_share_spent: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => 'the turn has spent its share of the budget',
  },
  model_calls_spent: {
    code: 'RESOURCE_EXHAUSTED',
    message: () => 'the prompt has reached its limit of model calls, including those of subagents',
  },
  run_time_spent: {
    code: 'RESOURCE_EXHAUSTED',
    message: (_params: {
      readonly setting: 'CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS' | 'CLAUDE_CODE_MAX_EXECUTION_TIME';
    }) => 'the prompt has reached the maximum time that the operator allows',
  },
  server_fault: {
    code: 'INTERNAL',
    message: ({ incident }: { readonly incident: string }) =>
      `the server failed unexpectedly (incident ${incident})`,
  },
} as const satisfies ReasonTable;

function quote(stderrTail: string): string {
  return stderrTail === '' ? '' : `: ${stderrTail}`;
}
