import type { SettingKey, Settings } from './settings.js';

/** Settings by which an operator restricts sessions and callers, or has them recorded. */
const restricting = [
  // `configure` lets callers switch off approvals.
  'toolsets',
  'roots',
  'trustedRoots',
  'approvals',
  'elicitation',
  'callerTrust',
  'callerModes',
  'defaultPermissionMode',
  'preallow',
  'allowedTools',
  'onTimeout',
  'sandbox',
  'maxDepth',
  'maxTurns',
  'maxExecutionTime',
  'runningSessionMaxMs',
  'maxBudgetUsd',
  'maxBudgetUsdPerDay',
  'maxSessions',
  'history',
  'passEnv',
  'allowDiskResume',
  'allowSensitiveDetails',
  'auditLog',
  'auditRequired',
] as const satisfies readonly SettingKey[];

/** Values as JSON, by the name of the setting. */
export type Restrictions = Readonly<Record<string, string>>;

/** The restricting settings, or those of them that are `wanted`. */
export function restrictionsOf(
  settings: Settings,
  isWanted: (key: SettingKey) => boolean = () => true,
): Restrictions {
  return Object.fromEntries(
    restricting.filter(isWanted).map((key) => [key, JSON.stringify(settings[key] ?? null)]),
  );
}
