import type { SessionId } from '../../core/ids.js';
import type { FirstFormat } from '../first-format.js';
import { openTurnOf } from '../open-turn.js';
import type { RecordStore } from '../record-store.js';
import type { Servers } from '../server-mark.js';
import { SharedBudget, type MemberCost } from './shared-budget.js';

export interface BudgetSettings {
  readonly records: RecordStore;
  readonly servers: Servers;
  readonly firstFormat: FirstFormat;
}

/** The budgets of all sessions: sums over the records of those that share one. */
export class BudgetStore {
  readonly #settings: BudgetSettings;
  /** One object per id while a session uses it, because everyone must see the same reservations. */
  readonly #known = new Map<string, WeakRef<SharedBudget>>();
  readonly #unused = new FinalizationRegistry<string>((id) => {
    if (this.#known.get(id)?.deref() === undefined) this.#known.delete(id);
  });

  constructor(settings: BudgetSettings) {
    this.#settings = settings;
  }

  /** Creates the budget of a new session, in memory if the session is not persisted. */
  create(id: string, isKept: boolean): SharedBudget {
    return this.#remember(new SharedBudget(id, isKept ? this : undefined));
  }

  async open(id: string): Promise<SharedBudget> {
    const budget = new SharedBudget(id, this, await this.#beforeUsd(id));
    await budget.refresh();
    // Two calls may have read the records concurrently.
    return this.#known.get(id)?.deref() ?? this.#remember(budget);
  }

  async membersOf(budgetId: string): Promise<readonly string[]> {
    return [budgetId, ...(await this.#settings.records.forksOf(budgetId))];
  }

  async costOf(sessionId: string): Promise<MemberCost> {
    const { records, servers } = this.#settings;
    const record = await records.load(sessionId as SessionId);
    if (record === undefined) return { spentUsd: 0, heldUsd: 0 };
    const open = await openTurnOf(record, servers);
    const { costUsd } = record.totals;
    if (open.owner === 'elsewhere') return { spentUsd: costUsd, heldUsd: open.reservedUsd };
    return { spentUsd: costUsd + (open.owner === 'gone' ? open.costUsd : 0), heldUsd: 0 };
  }

  /** What forks had spent with version 0.1, whose records did not name them. */
  async #beforeUsd(id: string): Promise<number> {
    const { records, firstFormat } = this.#settings;
    const record = await records.load(id as SessionId);
    if (record?.spentBeforeUsd !== undefined) return record.spentBeforeUsd;
    return Math.max(0, (await firstFormat.budgetUsd(id)) - (record?.totals.costUsd ?? 0));
  }

  #remember(budget: SharedBudget): SharedBudget {
    this.#known.set(budget.id, new WeakRef(budget));
    this.#unused.register(budget, budget.id);
    return budget;
  }
}
