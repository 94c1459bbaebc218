import type { ProcessExit } from '../../core/claude/backend.js';
import { AppError, sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { EventBody } from '../../core/session/events.js';
import type { InputAnswer, InputAsk, InputRequest } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { summarizeToolUse } from '../../core/text/tool-summary.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import type { Refusal } from '../budget/allowance.js';

/** Why a turn ended other than by its own result. The first reason wins. */
export type StopReason =
  'interrupt' | 'time_limit' | 'approval_timeout' | 'max_budget' | 'cancel' | 'shutdown';

/** How the end of a turn is told when Claude Code's own result is missing, or is not the whole truth. */
const bare = { durationMs: 0, numTurns: 0, costUsd: 0 } as const;

export const denyAfterEnd: InputAnswer = {
  decision: 'deny',
  message: 'The session was cancelled.',
  interrupt: true,
};

/** The first reason wins: a time limit beats the interrupt it causes. */
export function judge(report: TurnReport, reason: StopReason | undefined): TurnReport {
  if (reason === undefined || report.outcome === 'completed') return report;
  if (reason === 'time_limit' || reason === 'approval_timeout' || reason === 'max_budget') {
    return { ...report, outcome: 'failed', errorSubtype: reason, result: stopWords[reason] };
  }
  const { errorSubtype: _errorSubtype, ...rest } = report;
  return { ...rest, outcome: 'interrupted' };
}

/** Claude Code calls a turn a success although the model ignored the schema. */
export function demandOutput(report: TurnReport, { outputFormat }: EffectiveOptions): TurnReport {
  if (outputFormat === undefined || report.outcome !== 'completed') return report;
  if (report.structuredOutput !== undefined) return report;
  const result = `The answer has no structured output, so it does not match the requested schema. ${report.result}`;
  return { ...report, outcome: 'failed', errorSubtype: 'other', result };
}

/** The process ended, or was never asked, before the turn had a result. */
export function stopped(reason: StopReason | undefined, exit?: ProcessExit): TurnReport {
  if (reason !== undefined)
    return judge({ ...bare, outcome: 'interrupted', result: stopWords[reason] }, reason);
  if (exit?.neverStarted === true) return notStarted(startFailure(exit));
  const tail = exit?.stderrTail ? `: ${exit.stderrTail}` : '';
  return crashed(`${exit?.reason ?? 'Claude Code exited'} before the turn ended${tail}`);
}

const stopWords: Readonly<Record<StopReason, string>> = {
  interrupt: 'Interrupted.',
  cancel: 'Cancelled.',
  shutdown: 'The server shut down.',
  time_limit: 'The turn was stopped because it reached its time limit.',
  max_budget: 'Claude Code continued by itself without any budget left, so it was stopped.',
  approval_timeout: 'The turn was stopped because nobody answered a request in time.',
};

/** Why Claude Code ended before its conversation was under way. */
export function startFailure(exit: ProcessExit): AppError {
  const { reason: problem, stderrTail, neverStarted, refusal, isTransient = false } = exit;
  if (refusal !== undefined) return refusal;
  if (isTransient) return new AppError('no_process_to_spare', { problem });
  return new AppError(neverStarted ? 'claude_not_started' : 'claude_ended_early', { problem, stderrTail });
}

function notStarted(refusal: AppError): TurnReport {
  return { ...crashed(sentence(refusal.message)), refusal };
}

export function crashed(words: string): TurnReport {
  return { ...bare, outcome: 'failed', errorSubtype: 'crashed', result: words };
}

export function failed(words: string): TurnReport {
  return { ...bare, outcome: 'failed', errorSubtype: 'other', result: words };
}

/** The end of a turn of this server's own, which costs nothing. */
export function own(outcome: 'completed' | 'interrupted', words: string): TurnReport {
  return { ...bare, outcome, result: words };
}

export function budgetSpent({ maxBudgetUsd }: EffectiveOptions, { whose, isHeld }: Refusal): TurnReport {
  const budget =
    whose === 'day' ? "Today's budget" : `The budget of this session and its forks, $${maxBudgetUsd},`;
  const result = isHeld
    ? `${budget} is reserved for running turns, so the prompt was not sent. Try again when they have ended.`
    : `${budget} is spent, so the prompt was not sent.`;
  return { ...bare, outcome: 'failed', errorSubtype: 'max_budget', result };
}

/** Whether the turn was stopped and the session is meant to go on. */
export function isPause(reason: StopReason | undefined): reason is 'interrupt' | 'time_limit' {
  return reason === 'interrupt' || reason === 'time_limit';
}

/** The process is gone or was stopped: what waits behind the turn would meet the same. */
export function isBroken({ errorSubtype }: TurnReport): boolean {
  return errorSubtype === 'crashed' || errorSubtype === 'time_limit' || errorSubtype === 'approval_timeout';
}

/** A turn of Claude Code's own that ended without a result. */
export const nothingToReport: TurnReport = { ...bare, outcome: 'completed', result: '' };

export function toEvent({ outcome, errorSubtype, result }: TurnReport): EventBody {
  const text = cutMiddle(result, 1_000);
  if (errorSubtype === 'crashed') return { type: 'error', errorSubtype, text };
  return { type: 'result', outcome, ...(errorSubtype === undefined ? {} : { errorSubtype }), text };
}

export function inputRequested({ requestId, kind, shown }: InputRequest): EventBody {
  const { toolName, toolUseId, input } = shown;
  const summary = summarizeToolUse(toolName, input);
  return { type: 'input_request', requestId, toolUseId, kind, toolName, summary };
}

export function inWords({ toolName, input }: InputAsk): string {
  return summarizeToolUse(toolName, input);
}
