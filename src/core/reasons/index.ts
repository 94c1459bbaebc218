import { answerReasons } from './answers.js';
import { argumentReasons } from './arguments.js';
import { attachmentReasons } from './attachments.js';
import { hostReasons } from './host.js';
import { optionReasons } from './options.js';
import type { Keys, ParamsOfRow, ReasonRow, ReasonTable } from './reason.js';
import { sessionReasons } from './sessions.js';

/** Every reason for which a call can fail. Each toolset words the next step of every row. */
export const reasons = {
  ...argumentReasons,
  ...optionReasons,
  ...answerReasons,
  ...sessionReasons,
  ...hostReasons,
  ...attachmentReasons,
} as const satisfies ReasonTable;

export type Reason = keyof typeof reasons;
export type ParamsOf<R extends Reason> = R extends Reason ? ParamsOfRow<(typeof reasons)[R]> : never;

/** A reason with its parameters, as AppError takes them. */
export type ReasonAndParams = {
  [R in Reason]: ParamsOf<R> extends undefined
    ? readonly [reason: R, params?: undefined]
    : readonly [reason: R, params: ParamsOf<R>];
}[Reason];

/** What happened, as a sentence. `params` must belong to the reason. */
export function messageFor(reason: Reason, params: unknown, keys: Keys): string {
  const row: ReasonRow = reasons[reason];
  return row.message(params as never, keys);
}
