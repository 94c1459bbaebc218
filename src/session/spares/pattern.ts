import type { Launch } from '../../core/claude/backend.js';

/** Whether a session that starts like this can be served by a process that has waited for it. */
export function isRepeatable({ from, trace, grantedRules, budgetLeftUsd, options }: Launch): boolean {
  if (from.type !== 'start' || trace !== undefined || grantedRules.length > 0) return false;
  // The budget of the day leaves less for every session.
  if (budgetLeftUsd !== options.maxBudgetUsd) return false;
  // The consent to this mode may be withdrawn while the process waits.
  if (options.permissionMode === 'bypassPermissions') return false;
  // A sandbox is set up when the process starts, in the folder in which it waits.
  return options.sandbox === undefined;
}

/** Equal for launches that differ only by the id of the session. */
export function patternOf({ claudeSessionId: _id, ...launch }: Launch): string {
  return JSON.stringify(launch);
}
