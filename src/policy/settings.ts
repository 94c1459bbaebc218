import type { PermissionMode } from '../core/options/tools.js';

/** What the operator has decided, as far as it bounds what a caller may ask for. */
export interface PolicySettings {
  readonly defaultPermissionMode: PermissionMode | undefined;
  /** Modes that a caller may choose. */
  readonly callerModes: readonly PermissionMode[];
  /** Default and maximum of how long a request waits for an answer; 0 = no deadline. */
  readonly permissionTimeoutMs: number;
  /** `standard`: callers may not run code or skip approval outside Claude's permission system. */
  readonly callerTrust: 'standard' | 'full';
  /** Who may approve: callers until a person has answered, any caller, or people only. */
  readonly approvals: 'auto' | 'any' | 'human';
  /** What callers may do with sessions that this server did not start. */
  readonly history: 'off' | 'list' | 'resume' | 'read';
  readonly allowDiskResume: boolean;
  /** Whether callers may be told folder, system prompt and agents of a session. */
  readonly allowSensitiveDetails: boolean;
  /** Caps on what a caller may ask for; undefined = none. */
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  /** What a session may have run unasked whose caller names nothing. */
  readonly defaultAllowedTools: readonly string[] | undefined;
  /** What callers may have run unasked; undefined = everything, where they are the only ones to ask. */
  readonly preallow: readonly string[] | undefined;
}
