import type { Reservations } from '../../state/money/reservations.js';
import type { SharedBudget } from '../../state/money/shared-budget.js';

/** Port: the daily budget, shared by all sessions of this operator. */
export interface DayBudget {
  readonly reservations: Reservations;
  /** Undefined if there is no limit. */
  leftUsd(): number | undefined;
}

export interface Budgets {
  readonly maxBudgetUsd: number | undefined;
  readonly budget: SharedBudget;
  readonly dayBudget: DayBudget;
}

/** Why a turn may spend nothing. */
export interface Refusal {
  readonly whose: 'session' | 'day';
  /** Budget is left, but it is reserved for running turns. */
  readonly isHeld: boolean;
}

/** What a turn may spend; `usd` is undefined if nothing limits it. */
export interface Allowance {
  readonly usd: number | undefined;
  readonly refusal: Refusal | undefined;
  /** The budget that limits it, and all that was left of that budget; undefined if nothing limits it. */
  readonly limit?: { readonly whose: Refusal['whose']; readonly leftUsd: number };
}

/** Amounts below a cent are not split: they would hardly pay for one model response. */
const smallestShareUsd = 0.01;
/** Amounts below this are rounding errors. */
export const nothingUsd = 1e-9;

/** Returns the smallest share of its budgets. Concurrent turns never get the same dollar. */
export function allowanceFor(sessionId: string, { maxBudgetUsd, budget, dayBudget }: Budgets): Allowance {
  const dayLeft = dayBudget.leftUsd();
  const shares = [
    ...(maxBudgetUsd === undefined
      ? []
      : [
          share(
            'session',
            maxBudgetUsd - budget.spentUsd,
            budget.reservations.besides(sessionId),
            budget.isShared,
          ),
        ]),
    // Other sessions can start at any time, so the first must not take the whole day's budget.
    ...(dayLeft === undefined
      ? []
      : [share('day', dayLeft, dayBudget.reservations.besides(sessionId), true)]),
  ].toSorted((a, b) => a.usd - b.usd);
  const [least] = shares;
  if (least === undefined) return { usd: undefined, refusal: undefined };
  const { usd, whose, isHeld, leftUsd } = least;
  return { usd, refusal: usd > nothingUsd ? undefined : { whose, isHeld }, limit: { whose, leftUsd } };
}

function share(
  whose: Refusal['whose'],
  leftUsd: number,
  heldUsd: number,
  isShared: boolean,
): Refusal & { readonly usd: number; readonly leftUsd: number } {
  const free = leftUsd - heldUsd;
  const usd = isShared && free / 2 >= smallestShareUsd ? free / 2 : free;
  return { whose, usd, leftUsd, isHeld: leftUsd > nothingUsd };
}
