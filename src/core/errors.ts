import { messageFor, reasons, type ParamsOf, type Reason, type ReasonAndParams } from './reasons/index.js';
import type { ErrorCode } from './reasons/codes.js';
import type { ReasonRow } from './reasons/reason.js';

/**
 * The only error class whose text may reach a caller. It is data: the toolset that was called adds the next step, and
 * what it calls the options. `message` is for the log.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly params: ParamsOf<Reason>;
  /** Whether the same call may succeed in a moment, without anybody doing anything. */
  readonly isTransient: boolean;

  constructor(...[reason, params]: ReasonAndParams) {
    super(messageFor(reason, params, (name) => name));
    const row: ReasonRow = reasons[reason];
    this.code = row.code;
    this.reason = reason;
    this.params = params;
    this.isTransient = row.isTransient ?? false;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** With a full stop, if it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
