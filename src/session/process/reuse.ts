import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { LiveProcess } from './live-process.js';
import type { LaunchPlan } from './delivery.js';

/**
 * Whether the process may do nothing that the prompt must not: Claude Code does not ask about what its rules and its
 * modes allow. Each rule that it was granted must still count.
 */
export function mayTake(
  { launch, modes }: LiveProcess,
  plan: Pick<LaunchPlan, 'grantedRules' | 'barredModes'>,
): boolean {
  return (
    launch.grantedRules.every((rule) => plan.grantedRules.includes(rule)) &&
    !modes.some((mode) => plan.barredModes.includes(mode))
  );
}

/** Other sessions may have spent part of what this process may still spend, or freed more for it. */
export function isWithin({ launch, spentUsd }: LiveProcess, plan: LaunchPlan): boolean {
  const budgetLeftUsd = plan.budgetLeftUsd();
  if (budgetLeftUsd === undefined) return true;
  if (launch.budgetLeftUsd === undefined) return false;
  const own = launch.budgetLeftUsd - spentUsd;
  return own <= budgetLeftUsd + 1e-9 && own >= budgetLeftUsd / 2;
}

/** A session that is not persisted lives in its process: another one would know nothing of the conversation. */
export function refuseAnother(
  { persistSession }: EffectiveOptions,
  reason: 'process_fixed' | 'session_not_kept',
  sessionId: string,
): void {
  if (!persistSession) throw new AppError(reason, { sessionId });
}
