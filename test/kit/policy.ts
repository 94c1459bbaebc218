import { permissionModes } from '../../src/core/options/tools.js';
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
  history: 'resume',
  allowDiskResume: true,
  allowSensitiveDetails: false,
  maxTurns: undefined,
  maxBudgetUsd: undefined,
};
