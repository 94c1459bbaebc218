import type { Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';

/** Options that the policy sets for every session, whatever its caller requests. */
const ofEverySession = [
  'cwd',
  'settingSources',
  'permissionMode',
  'allowedTools',
  'disallowedTools',
  'permissionRequestTimeoutMs',
  'sessionInitTimeoutMs',
  'persistSession',
  'projectSettings',
  'skippedFiles',
  'permissionRules',
  'withheldServers',
  'startableServers',
  'withheldPlugins',
  'untrustedFolders',
  'notes',
  'maxTurns',
  'maxBudgetUsd',
] as const satisfies readonly (keyof EffectiveOptions)[];

/** Whether a later session is likely to start in the same way: its caller has chosen no options. */
export function isRepeatable({ from, trace, grantedRules, budgetLeftUsd, options }: Launch): boolean {
  if (from.type !== 'start' || trace !== undefined || grantedRules.length > 0) return false;
  // The budget of the day leaves less for every session.
  if (budgetLeftUsd !== (options.maxBudgetUsd ?? undefined)) return false;
  // Its consent may be withdrawn at any time.
  if (options.permissionMode === 'bypassPermissions') return false;
  const names: readonly string[] = ofEverySession;
  return Object.entries(options).every(([name, value]) => value === undefined || names.includes(name));
}

/** Equal for launches that Claude Code cannot tell apart, except by the id of the session. */
export function patternOf({ claudeSessionId: _id, ...launch }: Launch): string {
  return JSON.stringify(launch);
}
