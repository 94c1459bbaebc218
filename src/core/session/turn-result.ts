import type { AppError } from '../errors.js';
import type { Outcome } from './session-state.js';
import type { ErrorSubtype } from './turn-failures.js';

/** What a backend reports at the end of a turn, before totals are added. */
export interface TurnReport {
  readonly result: string;
  readonly outcome: Outcome;
  readonly errorSubtype?: ErrorSubtype;
  /** Why Claude Code could not be started, where that is what ended the turn: it has a next step of its own. */
  readonly refusal?: AppError;
  readonly durationMs: number;
  readonly durationApiMs?: number;
  readonly numTurns: number;
  readonly costUsd: number;
  /** It tells of no end: only of what a process that is gone may have cost. */
  readonly isEstimate?: true;
  readonly structuredOutput?: unknown;
  readonly stopReason?: string;
  readonly usage?: unknown;
  readonly modelUsage?: unknown;
  readonly permissionDenials?: readonly unknown[];
}

/** The end of a turn as a caller reads it. */
export interface TurnResult extends Omit<TurnReport, 'costUsd'> {
  readonly turn: number;
  readonly isError: boolean;
  readonly totalCostUsd: number;
  readonly sessionTotalTurns: number;
  readonly sessionTotalCostUsd: number;
}
