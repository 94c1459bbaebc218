import type { Sum } from './appended-sum.js';
import { Reservations } from './reservations.js';

/** The budget that a session and its forks share: a fork uses what its parent has left. */
export class SharedBudget {
  /** The session that created it. */
  readonly id: string;
  readonly reservations = new Reservations();
  readonly #members = new Set<string>();
  readonly #sum: Sum;
  /** Spent earlier, but not recorded in the file. */
  readonly #beforeUsd: number;

  constructor(id: string, sum: Sum, beforeUsd = 0) {
    this.id = id;
    this.#sum = sum;
    this.#beforeUsd = beforeUsd;
  }

  get spentUsd(): number {
    return this.#beforeUsd + this.#sum.usd;
  }

  /** Whether a fork shares it. */
  get isShared(): boolean {
    return this.#members.size > 1;
  }

  join(sessionId: string): void {
    this.#members.add(sessionId);
  }

  spend(sessionId: string, costUsd: number): void {
    this.reservations.use(sessionId, costUsd);
    if (costUsd > 0) this.#sum.add({ sessionId, costUsd }, costUsd);
  }

  /** Reads what forks have spent on other servers. */
  refresh(): Promise<void> {
    return this.#sum.refresh();
  }

  flush(): Promise<void> {
    return this.#sum.flush();
  }
}
