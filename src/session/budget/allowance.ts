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
  const reservedIn = (reservations: Reservations): Reserved => ({
    ownUsd: reservations.of(sessionId),
    otherUsd: reservations.besides(sessionId),
  });
  const shares = [
    ...(maxBudgetUsd === undefined
      ? []
      : [share('session', maxBudgetUsd - budget.spentUsd, reservedIn(budget.reservations), budget.isShared)]),
    // Other sessions can start at any time, so the first must not take the whole day's budget.
    ...(dayLeft === undefined ? [] : [share('day', dayLeft, reservedIn(dayBudget.reservations), true)]),
  ].toSorted((a, b) => a.usd - b.usd);
  const [least] = shares;
  if (least === undefined) return { usd: undefined, refusal: undefined };
  const { usd, whose, isHeld, leftUsd } = least;
  return { usd, refusal: usd > nothingUsd ? undefined : { whose, isHeld }, limit: { whose, leftUsd } };
}

interface Reserved {
  /** For work of this session in the background. */
  readonly ownUsd: number;
  readonly otherUsd: number;
}

function share(
  whose: Refusal['whose'],
  leftUsd: number,
  { ownUsd, otherUsd }: Reserved,
  isShared: boolean,
): Refusal & { readonly usd: number; readonly leftUsd: number } {
  const free = leftUsd - otherUsd;
  const part = isShared && free / 2 >= smallestShareUsd ? free / 2 : free;
  // With less than its own, the session would need another process, and its background work would end.
  const usd = Math.min(free, Math.max(part, ownUsd));
  return { whose, usd, leftUsd, isHeld: leftUsd > nothingUsd };
}
