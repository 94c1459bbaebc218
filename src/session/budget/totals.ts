import type { TurnReport, TurnResult } from '../../core/session/turn-result.js';
import { addTokens, allTokens, noTokens, usageByModel, type Tokens } from '../../core/session/usage.js';

export interface Totals {
  readonly turns: number;
  readonly costUsd: number;
  /** The sum over turns that reported tokens; undefined if none did. */
  readonly tokens?: Tokens | undefined;
}

export const noTotals: Totals = { turns: 0, costUsd: 0 };

/** Adds a turn to our own totals: Claude's cumulative figure is lost by a kill and differs for forks. */
export function addTurn(totals: Totals, report: TurnReport): Totals {
  const reported = usageByModel(report.costUsd, report.modelUsage);
  const tokens = reported.reduce((sum, usage) => addTokens(sum, usage.tokens), totals.tokens ?? noTokens);
  return {
    turns: totals.turns + report.numTurns,
    costUsd: dollars(totals.costUsd + report.costUsd),
    ...(allTokens(tokens) === 0 ? {} : { tokens }),
  };
}

export function toTurnResult(report: TurnReport, turn: number, totals: Totals): TurnResult {
  const { result, outcome, errorSubtype, costUsd, durationMs, durationApiMs, numTurns, ...rest } = report;
  return {
    result,
    isError: outcome === 'failed',
    outcome,
    ...(errorSubtype === undefined ? {} : { errorSubtype }),
    turn,
    durationMs,
    ...(durationApiMs === undefined ? {} : { durationApiMs }),
    numTurns,
    totalCostUsd: dollars(costUsd),
    sessionTotalTurns: totals.turns,
    sessionTotalCostUsd: totals.costUsd,
    ...rest,
  };
}

/** Rounds to eight decimals: fractions such as 0.013200000000000002 only waste the caller's bytes. */
export function dollars(amount: number): number {
  return Math.round(amount * 1e8) / 1e8;
}
