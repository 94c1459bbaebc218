import type { EffectiveOptions } from '../../core/options/index.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { allowanceFor, type Allowance, type DayBudget, type Refusal } from './allowance.js';
import type { SharedBudget } from '../../state/money/shared-budget.js';
import { addTurn, type Totals } from './totals.js';
import { UnreportedCost } from './unreported-cost.js';

export interface SpendingSettings {
  readonly sessionId: string;
  readonly totals: Totals;
  /** With the model that the caller chose, if any. */
  readonly options: Pick<EffectiveOptions, 'model'>;
  readonly budget: SharedBudget;
  readonly dayBudget: DayBudget;
  /** Called for every result. */
  readonly onSpent: (report: TurnReport) => void;
}

/** What one session has spent, and what it may still spend. */
export class SessionSpending {
  totals: Totals;
  readonly #settings: SpendingSettings;
  /** The allowance of the running turn. */
  #current: Allowance | undefined;
  /** Cost since Claude Code last reported it. */
  readonly unreported: UnreportedCost;

  constructor(settings: SpendingSettings) {
    this.totals = settings.totals;
    this.#settings = settings;
    const { sessionId, totals, options } = settings;
    this.unreported = new UnreportedCost({ isResumed: totals.turns > 0, model: options.model });
    settings.budget.join(sessionId, totals.costUsd);
  }

  /** What the current turn may spend; undefined if nothing limits it. */
  get reservedUsd(): number | undefined {
    return this.#current?.usd;
  }

  /** The budget that limits the current turn. */
  get limit(): Allowance['limit'] {
    return this.#current?.limit;
  }

  /** Why the current turn may spend nothing. */
  get refusal(): Refusal | undefined {
    return this.#current?.refusal;
  }

  /** Reserves what a turn may spend, until it ends. Work that a turn goes on to cause is paid from its share. */
  begin(maxBudgetUsd: number | undefined, kind: 'prompt' | 'continued' = 'prompt'): void {
    if (kind === 'continued' && this.#current !== undefined) return;
    const { sessionId, budget, dayBudget } = this.#settings;
    const { usd, refusal } = (this.#current = this.#allowance(maxBudgetUsd));
    if (usd === undefined || refusal !== undefined) return;
    budget.reservations.set(sessionId, usd);
    dayBudget.reservations.set(sessionId, usd);
  }

  /** The limit of the next process; undefined if nothing limits it. */
  leftUsd(maxBudgetUsd: number | undefined): number | undefined {
    return (this.#current ?? this.#allowance(maxBudgetUsd)).usd;
  }

  add(report: TurnReport): void {
    this.totals = addTurn(this.totals, report);
    this.#spend(report);
  }

  /**
   * Charges the unreported cost of a process that exited. Otherwise a command that kills Claude Code would bypass every
   * budget. `isInTurn`: it may have been waiting for the model.
   */
  forfeit(isInTurn: boolean): void {
    this.#charge(isInTurn ? this.unreported.highestUsd : this.unreported.usd);
    this.end();
  }

  /** The same for a process from which another one takes over. The turn may spend what is left then. */
  passOn(maxBudgetUsd: number | undefined): void {
    if (this.unreported.usd === 0) return;
    this.#charge(this.unreported.usd);
    if (this.#current !== undefined) this.begin(maxBudgetUsd);
  }

  /** Releases what the turn did not spend. */
  end(): void {
    const { sessionId, budget, dayBudget } = this.#settings;
    this.#current = undefined;
    budget.reservations.drop(sessionId);
    dayBudget.reservations.drop(sessionId);
  }

  #charge(usd: number): void {
    this.unreported.clear();
    if (usd > 0) this.add(estimated(usd));
  }

  #spend(report: TurnReport): void {
    const { sessionId, budget, dayBudget, onSpent } = this.#settings;
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
