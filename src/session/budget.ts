import type { Sum } from './appended-sum.js';

/** What is set aside for turns that run, by session: nobody else may spend it meanwhile. */
export class Holds {
  readonly #usd = new Map<string, number>();

  set(sessionId: string, usd: number): void {
    this.#usd.set(sessionId, usd);
  }

  use(sessionId: string, usd: number): void {
    const held = this.#usd.get(sessionId);
    if (held !== undefined) this.#usd.set(sessionId, Math.max(0, held - usd));
  }

  drop(sessionId: string): void {
    this.#usd.delete(sessionId);
  }

  /** What all others have set aside. */
  besides(sessionId: string): number {
    return [...this.#usd].reduce((sum, [id, usd]) => (id === sessionId ? sum : sum + usd), 0);
  }
}

/** What a session and its forks have spent together: a fork draws on what its parent has left. */
export class Pot {
  /** The session that began it. */
  readonly id: string;
  readonly holds = new Holds();
  readonly #members = new Set<string>();
  readonly #sum: Sum;
  /** Spent before, and not in the file. */
  readonly #beforeUsd: number;

  constructor(id: string, sum: Sum, beforeUsd = 0) {
    this.id = id;
    this.#sum = sum;
    this.#beforeUsd = beforeUsd;
  }

  get spentUsd(): number {
    return this.#beforeUsd + this.#sum.usd;
  }

  /** Whether there are forks. */
  get isShared(): boolean {
    return this.#members.size > 1;
  }

  join(sessionId: string): void {
    this.#members.add(sessionId);
  }

  spend(sessionId: string, costUsd: number): void {
    this.holds.use(sessionId, costUsd);
    if (costUsd > 0) this.#sum.add({ sessionId, costUsd }, costUsd);
  }

  /** Reads what forks on other servers have spent meanwhile. */
  refresh(): Promise<void> {
    return this.#sum.refresh();
  }

  flush(): Promise<void> {
    return this.#sum.flush();
  }
}

/** Port: what all sessions of this operator have spent today. */
export interface DayBudget {
  readonly holds: Holds;
  /** Undefined when there is no limit. */
  leftUsd(): number | undefined;
}

export interface Budgets {
  readonly maxBudgetUsd: number | undefined;
  readonly pot: Pot;
  readonly day: DayBudget;
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
export function allowanceFor(sessionId: string, { maxBudgetUsd, pot, day }: Budgets): Allowance {
  const dayLeft = day.leftUsd();
  const shares = [
    ...(maxBudgetUsd === undefined
      ? []
      : [share('session', maxBudgetUsd - pot.spentUsd, pot.holds.besides(sessionId), pot.isShared)]),
    // Other sessions can start at any time: who is first must not take the whole day.
    ...(dayLeft === undefined ? [] : [share('day', dayLeft, day.holds.besides(sessionId), true)]),
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
