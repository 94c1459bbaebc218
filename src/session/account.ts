import type { TurnReport } from '../core/turn-result.js';
import { budgetLeft, type DayBudget, type Pot } from './budget.js';
import { addTurn, type Totals } from './totals.js';

export interface AccountSettings {
  readonly totals: Totals;
  readonly pot: Pot;
  readonly day: DayBudget;
  /** Called for every result. */
  readonly onSpent: (report: TurnReport) => void;
}

/** What one session has used, and what it may still use. */
export class Account {
  totals: Totals;
  readonly #settings: AccountSettings;

  constructor(settings: AccountSettings) {
    this.totals = settings.totals;
    this.#settings = settings;
  }

  get isDaySpent(): boolean {
    return (this.#settings.day.leftUsd() ?? 1) <= 0;
  }

  isSpent(maxBudgetUsd: number | undefined): boolean {
    const left = this.leftUsd(maxBudgetUsd);
    return left !== undefined && left <= 0;
  }

  add(report: TurnReport): void {
    this.totals = addTurn(this.totals, report);
    this.#settings.pot.spentUsd += report.costUsd;
    this.#settings.onSpent(report);
  }

  /** For the next process; undefined when nothing limits it. */
  leftUsd(maxBudgetUsd: number | undefined): number | undefined {
    return budgetLeft(maxBudgetUsd, this.#settings.pot, this.#settings.day);
  }
}
