import type { Sum } from './appended-sum.js';
import { Reservations } from './reservations.js';

/** What a session and its forks have spent together: a fork draws on what its parent has left. */
export class SharedBudget {
  /** The session that began it. */
  readonly id: string;
  readonly reservations = new Reservations();
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
    this.reservations.use(sessionId, costUsd);
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
