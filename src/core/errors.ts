import { messageFor, reasons, type ParamsOf, type Reason, type ReasonAndParams } from './reasons/index.js';
import type { ErrorCode } from './reasons/codes.js';
import type { ReasonRow } from './reasons/reason.js';

/**
 * The only error class whose text may reach a caller. It is data: the called toolset adds the next step and its own
 * names of the options. `message` is for the log.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly params: ParamsOf<Reason>;
  /** Whether the same call may succeed in a moment, without anyone acting. */
  readonly isTransient: boolean;

  constructor(...[reason, params]: ReasonAndParams) {
    super(messageFor(reason, params, (name, value) => (value === undefined ? name : `${name} "${value}"`)));
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

/** Adds a full stop if the text does not end with punctuation. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
