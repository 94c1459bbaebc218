import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { nothingUsd, type Allowance } from '../budget/allowance.js';
import type { SessionLimits } from '../services/services.js';

type OperatorLimits = Pick<SessionLimits, 'maxModelCalls' | 'maxBudgetUsd'>;
type OwnLimits = Pick<EffectiveOptions, 'maxTurns' | 'maxBudgetUsd'>;

/**
 * Names the reason if a turn failed at a limit that its caller cannot raise. The usual next step of these failures,
 * a higher limit, would be refused.
 */
export function blameOperator(
  report: TurnReport,
  own: OwnLimits,
  operator: OperatorLimits,
  budget: Allowance['limit'],
): TurnReport {
  const refusal = report.refusal ?? reasonOf(report, own, operator, budget);
  return refusal === undefined ? report : { ...report, refusal };
}

function reasonOf(
  { errorSubtype, costUsd }: TurnReport,
  own: OwnLimits,
  operator: OperatorLimits,
  budget: Allowance['limit'],
): AppError | undefined {
  if (errorSubtype === 'max_turns')
    return isAtCap(own.maxTurns, operator.maxModelCalls) ? new AppError('model_calls_spent') : undefined;
  if (errorSubtype !== 'max_budget' || budget === undefined) return undefined;
  // A turn gets only a share of a budget that others may need.
  if (budget.leftUsd - costUsd > nothingUsd) return new AppError('budget_share_spent');
  if (budget.whose === 'day') return new AppError('day_budget_spent');
  return isAtCap(own.maxBudgetUsd, operator.maxBudgetUsd) ? new AppError('session_budget_spent') : undefined;
}

function isAtCap(limit: number | undefined, cap: number | undefined): boolean {
  return cap !== undefined && (limit ?? cap) >= cap;
}
