import type { PermissionMode } from '../core/options/tools.js';
import type { PreallowSetting } from '../core/reasons/options.js';

/** The operator's settings that bound what a caller may request. */
export interface PolicySettings {
  readonly defaultPermissionMode: PermissionMode | undefined;
  readonly callerModes: readonly PermissionMode[];
  /** Default and maximum time that a request waits for an answer; 0 means no deadline. */
  readonly permissionTimeoutMs: number;
  /** Time in which Claude Code must start when the caller sets none. */
  readonly startTimeoutMs: number;
  /** `standard`: callers may not run code or skip approval outside Claude's permission system. */
  readonly callerTrust: 'standard' | 'full';
  /** `on`: commands run in a sandbox in every session. `user`: as in the user's settings. */
  readonly sandbox: 'user' | 'on';
  /** Who may approve: callers until a person has answered (`auto`), any caller (`any`), or only people (`human`). */
  readonly approvals: 'auto' | 'any' | 'human';
  /** What callers may do with sessions that this server did not start. */
  readonly history: 'off' | 'list' | 'resume' | 'read';
  readonly allowDiskResume: boolean;
  /** Whether callers may see the system prompt, agents and additional folders of a session. */
  readonly allowSensitiveDetails: boolean;
  /** Caps on what a caller may request; undefined means none. */
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  /** Tools pre-approved for a session whose caller names none. */
  readonly defaultAllowedTools: readonly string[] | undefined;
  /** Rules that callers may pre-approve; undefined means all, unless requests go to a person. */
  readonly preallow: readonly string[] | undefined;
  /** The variable that holds this list. */
  readonly preallowSetting: PreallowSetting;
}
