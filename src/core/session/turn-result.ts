import type { AppError } from '../errors.js';
import type { Outcome } from './session-state.js';
import type { ErrorSubtype } from './turn-failures.js';

/** What began a turn that answers no prompt: Claude Code itself, or this server to restore files. */
export type StartedBy = 'claude_code' | OwnWorkName;

/** Work that this server does as a turn. It calls no model. */
export type OwnWorkName = 'rewind';

/** A backend's report at the end of a turn, without session totals. */
export interface TurnReport {
  readonly result: string;
  readonly outcome: Outcome;
  readonly errorSubtype?: ErrorSubtype;
  /** Set if the turn answers no prompt of a caller. */
  readonly startedBy?: StartedBy;
  /** Why Claude Code could not be started or used, if that ended the turn; this reason has its own next step. */
  readonly refusal?: AppError;
  readonly durationMs: number;
  readonly durationApiMs?: number;
  readonly numTurns: number;
  readonly costUsd: number;
  /** Set if no turn ended: the report is only the estimated cost of a process that exited. */
  readonly isEstimate?: true;
  readonly structuredOutput?: unknown;
  readonly stopReason?: string;
  readonly usage?: unknown;
  readonly modelUsage?: unknown;
  readonly permissionDenials?: readonly unknown[];
}

/** The result of a turn as callers see it. */
export interface TurnResult extends Omit<TurnReport, 'costUsd'> {
  readonly turn: number;
  /** Files that Claude changed with its tools, in order. Commands may have changed others. */
  readonly changedFiles?: readonly string[];
  readonly isError: boolean;
  readonly totalCostUsd: number;
  readonly sessionTotalTurns: number;
  readonly sessionTotalCostUsd: number;
}
