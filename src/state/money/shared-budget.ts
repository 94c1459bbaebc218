import { Reservations } from './reservations.js';

/** What one of the sessions has spent and reserved, by its record. */
export interface MemberCost {
  readonly spentUsd: number;
  /** Reserved on another server. */
  readonly heldUsd: number;
}

/** Port: finds the sessions that share a budget, and what each has cost. */
export interface MemberCosts {
  membersOf(budgetId: string): Promise<readonly string[]>;
  costOf(sessionId: string): Promise<MemberCost>;
}

/** The budget that a session and its forks share: a fork uses what its parent has left. */
export class SharedBudget {
  /** The session that created it. */
  readonly id: string;
  readonly reservations = new Reservations();
  readonly #costs: MemberCosts | undefined;
  readonly #spent = new Map<string, number>();
  /** Spent earlier, by nobody who is known. */
  readonly beforeUsd: number;

  /** `costs` is undefined for sessions that are not persisted. */
  constructor(id: string, costs: MemberCosts | undefined, beforeUsd = 0) {
    this.id = id;
    this.#costs = costs;
    this.beforeUsd = beforeUsd;
  }

  get spentUsd(): number {
    return [...this.#spent.values()].reduce((sum, usd) => sum + usd, this.beforeUsd);
  }

  /** Whether a fork shares it. */
  get isShared(): boolean {
    return this.#spent.size > 1;
  }

  join(sessionId: string, spentUsd: number): void {
    this.#note(sessionId, spentUsd);
  }

  spend(sessionId: string, costUsd: number): void {
    this.reservations.use(sessionId, costUsd);
    this.#spent.set(sessionId, (this.#spent.get(sessionId) ?? 0) + costUsd);
  }

  /** Reads what forks have spent and reserved on other servers. */
  async refresh(): Promise<void> {
    if (this.#costs === undefined) return;
    const members = await this.#costs.membersOf(this.id);
    for (const member of new Set([...members, ...this.#spent.keys()])) {
      const { spentUsd, heldUsd } = await this.#costs.costOf(member);
      this.#note(member, spentUsd);
      this.reservations.noteElsewhere(member, heldUsd);
    }
  }

  /** Costs only grow, so of two figures the older one is smaller. */
  #note(sessionId: string, spentUsd: number): void {
    this.#spent.set(sessionId, Math.max(spentUsd, this.#spent.get(sessionId) ?? 0));
  }
}
