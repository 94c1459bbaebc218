import { permissionModes } from '../../src/core/options/tools.js';
import type { PermissionRules } from '../../src/core/options/permission-rules.js';
import type { RuleFacts } from '../../src/policy/permission-rules.js';
import type { PolicySettings } from '../../src/policy/settings.js';

/** The policy of an operator who has configured nothing. */
export const plainPolicy: PolicySettings = {
  defaultPermissionMode: undefined,
  callerModes: permissionModes,
  permissionTimeoutMs: 300_000,
  startTimeoutMs: 10_000,
  callerTrust: 'standard',
  sandbox: 'user',
  approvals: 'auto',
  defaultAllowedTools: undefined,
  preallow: undefined,
  preallowSetting: 'CLAUDE_CODE_MCP_PREALLOW',
  history: 'resume',
  allowDiskResume: true,
  allowSensitiveDetails: false,
  maxTurns: undefined,
  maxBudgetUsd: undefined,
};

const none: PermissionRules = { allow: [], ask: [], deny: [] };

/** A trusted folder without any rule in its settings or those of its user. */
export const withoutRules: RuleFacts = {
  rules: { managed: none, user: none, project: none, local: none },
  isCwdTrusted: true,
};
