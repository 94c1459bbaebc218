import type { TurnReport } from '../core/turn-result.js';
import { allowanceFor, type Allowance, type DayBudget, type Pot, type Refusal } from './budget.js';
import { addTurn, type Totals } from './totals.js';

export interface AccountSettings {
  readonly sessionId: string;
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
  /** Of the turn that runs. */
  #current: Allowance | undefined;

  constructor(settings: AccountSettings) {
    this.totals = settings.totals;
    this.#settings = settings;
    settings.pot.join(settings.sessionId);
  }

  /** Why the turn that has begun may spend nothing. */
  get refusal(): Refusal | undefined {
    return this.#current?.refusal;
  }

  /** Sets aside what a turn may spend, until it has ended. */
  begin(maxBudgetUsd: number | undefined): void {
    const { sessionId, pot, day } = this.#settings;
    const { usd, refusal } = (this.#current = this.#allowance(maxBudgetUsd));
    if (usd === undefined || refusal !== undefined) return;
    pot.holds.set(sessionId, usd);
    day.holds.set(sessionId, usd);
  }

  /** For the next process; undefined when nothing limits it. */
  leftUsd(maxBudgetUsd: number | undefined): number | undefined {
    return (this.#current ?? this.#allowance(maxBudgetUsd)).usd;
  }

  add(report: TurnReport): void {
    const { sessionId, pot, day, onSpent } = this.#settings;
    this.totals = addTurn(this.totals, report);
    pot.spend(sessionId, report.costUsd);
    day.holds.use(sessionId, report.costUsd);
    onSpent(report);
  }

  /** What the turn has not spent is there for others again. */
  end(): void {
    const { sessionId, pot, day } = this.#settings;
    this.#current = undefined;
    pot.holds.drop(sessionId);
    day.holds.drop(sessionId);
  }

  #allowance(maxBudgetUsd: number | undefined): Allowance {
    return allowanceFor(this.#settings.sessionId, { ...this.#settings, maxBudgetUsd });
  }
}
