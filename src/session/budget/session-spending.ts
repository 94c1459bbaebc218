import type { TurnReport } from '../../core/session/turn-result.js';
import { allowanceFor, type Allowance, type DayBudget, type Refusal } from './allowance.js';
import type { SharedBudget } from '../../state/shared-budget.js';
import { addTurn, type Totals } from './totals.js';
import { UnreportedCost } from './unreported-cost.js';

export interface SpendingSettings {
  readonly sessionId: string;
  readonly totals: Totals;
  readonly budget: SharedBudget;
  readonly dayBudget: DayBudget;
  /** Called for every result. */
  readonly onSpent: (report: TurnReport) => void;
}

/** What one session has used, and what it may still use. */
export class SessionSpending {
  totals: Totals;
  readonly #settings: SpendingSettings;
  /** Of the turn that runs. */
  #current: Allowance | undefined;
  /** Since Claude Code last told what it cost. */
  readonly unreported = new UnreportedCost();

  constructor(settings: SpendingSettings) {
    this.totals = settings.totals;
    this.#settings = settings;
    settings.budget.join(settings.sessionId);
  }

  /** Why the turn that has begun may spend nothing. */
  get refusal(): Refusal | undefined {
    return this.#current?.refusal;
  }

  /** Sets aside what a turn may spend, until it has ended. */
  begin(maxBudgetUsd: number | undefined): void {
    const { sessionId, budget, dayBudget } = this.#settings;
    const { usd, refusal } = (this.#current = this.#allowance(maxBudgetUsd));
    if (usd === undefined || refusal !== undefined) return;
    budget.reservations.set(sessionId, usd);
    dayBudget.reservations.set(sessionId, usd);
  }

  /** For a turn that Claude Code begins by itself: it has what was set aside for the one before, or what is left. */
  continue(maxBudgetUsd: number | undefined): void {
    if (this.#current === undefined) this.begin(maxBudgetUsd);
  }

  /** For the next process; undefined when nothing limits it. */
  leftUsd(maxBudgetUsd: number | undefined): number | undefined {
    return (this.#current ?? this.#allowance(maxBudgetUsd)).usd;
  }

  add(report: TurnReport): void {
    this.totals = addTurn(this.totals, report);
    this.#spend(report);
  }

  /**
   * The process is gone. What it has not told the cost of is paid from what was set aside: if it counted for nothing,
   * a command that kills Claude Code would be a way round every budget.
   */
  forfeit(): void {
    const { sessionId, budget } = this.#settings;
    const usd = Math.min(this.unreported.usd, budget.reservations.of(sessionId));
    if (usd > 0) this.#spend(estimated(usd));
    this.end();
  }

  /** What the turn has not spent is there for others again. */
  end(): void {
    const { sessionId, budget, dayBudget } = this.#settings;
    this.#current = undefined;
    budget.reservations.drop(sessionId);
    dayBudget.reservations.drop(sessionId);
  }

  #spend(report: TurnReport): void {
    const { sessionId, budget, dayBudget, onSpent } = this.#settings;
    this.unreported.clear();
    budget.spend(sessionId, report.costUsd);
    dayBudget.reservations.use(sessionId, report.costUsd);
    onSpent(report);
  }

  #allowance(maxBudgetUsd: number | undefined): Allowance {
    return allowanceFor(this.#settings.sessionId, { ...this.#settings, maxBudgetUsd });
  }
}

/** The report of a process that exited before it reported its cost. */
function estimated(costUsd: number): TurnReport {
  return {
    costUsd,
    isEstimate: true,
    durationMs: 0,
    numTurns: 0,
    outcome: 'failed',
    errorSubtype: 'crashed',
    result: '',
  };
}
