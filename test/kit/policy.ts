import { permissionModes } from '../../src/core/options/tools.js';
import type { PermissionRules } from '../../src/core/options/permission-rules.js';
import type { PolicyFacts } from '../../src/policy/resolve-options.js';
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

/** A trusted folder without settings, and a user without any. */
export const plainFacts: PolicyFacts = {
  cwd: '/srv/repo',
  additionalDirectories: undefined,
  roots: [],
  isTrusted: true,
  isCwdTrusted: true,
  projectFiles: [],
  userMode: undefined,
  sandboxes: [],
  allowRules: [],
  rules: { managed: none, user: none, project: none, local: none },
  configuredServers: [],
  programServers: [],
  serverList: undefined,
  languagePlugins: [],
  repositoryRoots: [],
};
