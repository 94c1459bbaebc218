import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../core/errors.js';
import type { Logger } from '../core/observability/logger.js';
import { parseJson } from '../core/json.js';
import { AppendedSum, MemorySum, type Sum } from './appended-sum.js';
import { SharedBudget } from './shared-budget.js';

const lineSchema = z.object({ costUsd: z.number().min(0) });

/** The budgets of all sessions, each in its own file: a budget outlives processes, servers and records. */
export class BudgetStore {
  readonly #folder: string;
  readonly #logger: Logger;
  /** One object per id while a session uses it, because everyone must see the same reservations. */
  readonly #known = new Map<string, WeakRef<SharedBudget>>();

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** Creates the budget of a new session, in memory if the session is not persisted. */
  create(id: string, isKept: boolean): SharedBudget {
    return this.#remember(new SharedBudget(id, isKept ? this.#sum(id) : new MemorySum()));
  }

  /** @param atLeastUsd The known minimum from elsewhere, in case the file was deleted. */
  async open(id: string, atLeastUsd: number): Promise<SharedBudget> {
    const sum = this.#sum(id);
    await sum.refresh();
    // Two calls may have read the file concurrently.
    return (
      this.#known.get(id)?.deref() ??
      this.#remember(new SharedBudget(id, sum, Math.max(0, atLeastUsd - sum.usd)))
    );
  }

  /** Resolves when all pending writes are on disk. */
  async flush(): Promise<void> {
    await Promise.all([...this.#known.values()].map(async (known) => known.deref()?.flush()));
  }

  #remember(budget: SharedBudget): SharedBudget {
    for (const [id, known] of this.#known) if (known.deref() === undefined) this.#known.delete(id);
    this.#known.set(budget.id, new WeakRef(budget));
    return budget;
  }

  #sum(id: string): Sum {
    return new AppendedSum({
      path: join(this.#folder, `${id}.jsonl`),
      usdOf,
      onError: (error) =>
        this.#logger.log('error', 'a budget could not be written', {
          sessionId: id,
          reason: messageOf(error),
        }),
    });
  }
}

function usdOf(line: string): number {
  const parsed = lineSchema.safeParse(parseJson(line));
  return parsed.success ? parsed.data.costUsd : 0;
}
