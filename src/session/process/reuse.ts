import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { LiveProcess } from './live-process.js';
import type { LaunchPlan } from './delivery.js';

/** A sum of fractions can be off by less than this. */
const roundingUsd = 1e-9;

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

/** Whether options are equal, in whatever order: one that was added during the session comes last. */
export function areSame(...both: readonly [EffectiveOptions, EffectiveOptions]): boolean {
  const [one, other] = both.map((options) => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return one === other;
}

/**
 * Other sessions may have spent part of what this process may still spend, or freed more for it. More is not worth the
 * conversation of a session that lives in its process.
 */
export function isWithin({ launch, spentUsd }: LiveProcess, plan: LaunchPlan): boolean {
  const budgetLeftUsd = plan.budgetLeftUsd();
  if (budgetLeftUsd === undefined) return true;
  if (launch.budgetLeftUsd === undefined) return false;
  const own = launch.budgetLeftUsd - spentUsd;
  const isEnough = plan.options.persistSession ? own >= budgetLeftUsd / 2 : own > roundingUsd;
  return own <= budgetLeftUsd + roundingUsd && isEnough;
}

/** A session that is not persisted lives in its process: another one would know nothing of the conversation. */
export function refuseAnother(
  { persistSession }: EffectiveOptions,
  reason: 'process_fixed' | 'session_not_kept',
  sessionId: string,
): void {
  if (!persistSession) throw new AppError(reason, { sessionId });
}
