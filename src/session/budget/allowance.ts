import type { Reservations } from '../../state/reservations.js';
import type { SharedBudget } from '../../state/shared-budget.js';

/** Port: what all sessions of this operator have spent today. */
export interface DayBudget {
  readonly reservations: Reservations;
  /** Undefined when there is no limit. */
  leftUsd(): number | undefined;
}

export interface Budgets {
  readonly maxBudgetUsd: number | undefined;
  readonly budget: SharedBudget;
  readonly dayBudget: DayBudget;
}

/** Why a turn gets nothing. */
export interface Refusal {
  readonly whose: 'session' | 'day';
  /** There is some left, but it is set aside for turns that run. */
  readonly isHeld: boolean;
}

/** What a turn may spend; `usd` is undefined when nothing limits it. */
export interface Allowance {
  readonly usd: number | undefined;
  readonly refusal: Refusal | undefined;
}

/** Under a cent nothing is shared out: hardly one answer of the model would come of it. */
const smallestShareUsd = 0.01;
/** Sums of fractions are never exact: less than this is nothing. */
const nothingUsd = 1e-9;

/** The least that its budgets give. Two turns that run at once never get the same dollar. */
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
    // Other sessions can start at any time: who is first must not take the whole day.
    ...(dayLeft === undefined
      ? []
      : [share('day', dayLeft, dayBudget.reservations.besides(sessionId), true)]),
  ].toSorted((a, b) => a.usd - b.usd);
  const [least] = shares;
  if (least === undefined) return { usd: undefined, refusal: undefined };
  const { usd, whose, isHeld } = least;
  return { usd, refusal: usd > nothingUsd ? undefined : { whose, isHeld } };
}

function share(
  whose: Refusal['whose'],
  leftUsd: number,
  heldUsd: number,
  isShared: boolean,
): Refusal & { readonly usd: number } {
  const free = leftUsd - heldUsd;
  const usd = isShared && free / 2 >= smallestShareUsd ? free / 2 : free;
  return { whose, usd, isHeld: leftUsd > nothingUsd };
}
