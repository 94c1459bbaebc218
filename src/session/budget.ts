/** What a session and its forks have spent together: a fork draws on what its parent has left. */
export class Pot {
  /** The session that began it. */
  readonly id: string;
  spentUsd: number;

  constructor(id: string, spentUsd = 0) {
    this.id = id;
    this.spentUsd = spentUsd;
  }
}

/** Port: what all sessions of this operator have spent today. */
export interface DayBudget {
  /** Undefined when there is no limit. */
  leftUsd(): number | undefined;
}

/** What the next process may spend: the least of what is left. Undefined when nothing limits it. */
export function budgetLeft(maxBudgetUsd: number | undefined, pot: Pot, day: DayBudget): number | undefined {
  const limits = [maxBudgetUsd === undefined ? undefined : maxBudgetUsd - pot.spentUsd, day.leftUsd()];
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
