import type { AttachmentFacts } from '../../core/claude/attachment.js';
import type { ProcessExit } from '../../core/claude/backend.js';
import { changedFile } from '../../core/claude/claude-tools.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { AppError, messageOf, sentence } from '../../core/errors.js';
import { quoteCode, quoteSummary, quoteWords } from '../../inputs/quote.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { EventBody } from '../../core/session/events.js';
import type { InputAnswer, InputAsk, InputRequest, SettledInput } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { summarizeToolUse } from '../../core/text/tool-summary.js';
import type { StartedBy, TurnReport } from '../../core/session/turn-result.js';
import type { Refusal } from '../budget/allowance.js';

/** Why a turn ended other than by its own result. The first reason wins. */
export type StopReason =
  | 'interrupt'
  | 'time_limit'
  | 'run_limit'
  | 'approval_timeout'
  | 'max_budget'
  | 'max_turns'
  | 'cancel'
  | 'shutdown';

/** The base of reports that we write because Claude Code's own result is missing or incomplete. */
const bare = { durationMs: 0, numTurns: 0, costUsd: 0 } as const;

export const denyAfterEnd: InputAnswer = {
  decision: 'deny',
  message: 'The session was cancelled.',
  interrupt: true,
};

/** Applies the stop reason to a report. A time limit takes precedence over the interrupt it causes. */
export function judge(report: TurnReport, reason: StopReason | undefined): TurnReport {
  if (reason === undefined || report.outcome === 'completed') return report;
  if (reason === 'time_limit' || reason === 'approval_timeout' || reason === 'max_budget') {
    return { ...report, outcome: 'failed', errorSubtype: reason, result: stopWords[reason] };
  }
  // For the caller, a shutdown is the same as a kill: the turn can run again.
  if (reason === 'shutdown')
    return { ...report, outcome: 'failed', errorSubtype: 'server_restarted', result: stopWords.shutdown };
  if (reason === 'run_limit') {
    const refusal = new AppError('run_time_spent', { setting: 'CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS' });
    return { ...report, outcome: 'failed', errorSubtype: 'time_limit', result: stopWords[reason], refusal };
  }
  if (reason === 'max_turns') {
    // Raising the caller's own limit would not help, so the usual next step of this failure is wrong here.
    const refusal = new AppError('model_calls_spent');
    return { ...report, outcome: 'failed', errorSubtype: reason, result: stopWords[reason], refusal };
  }
  const { errorSubtype: _errorSubtype, ...rest } = report;
  return { ...rest, outcome: 'interrupted' };
}

/** Fails a turn without structured output: Claude Code reports success even if the model ignored the schema. */
export function demandOutput(report: TurnReport, { outputFormat }: EffectiveOptions): TurnReport {
  if (outputFormat === undefined || report.outcome !== 'completed') return report;
  if (report.structuredOutput !== undefined) return report;
  const result = `The answer has no structured output, so it does not match the requested schema. ${report.result}`;
  return { ...report, outcome: 'failed', errorSubtype: 'structured_output', result };
}

/** Reports a turn whose process exited, or never got the prompt, before there was a result. */
export function stopped(reason: StopReason | undefined, exit?: ProcessExit, numTurns = 0): TurnReport {
  if (reason !== undefined)
    return judge({ ...bare, numTurns, outcome: 'interrupted', result: stopWords[reason] }, reason);
  if (exit?.neverStarted === true || exit?.refusal !== undefined) return notStarted(startFailure(exit));
  const tail = exit?.stderrTail ? `: ${exit.stderrTail}` : '';
  return { ...crashed(`${exit?.reason ?? 'Claude Code exited'} before the turn ended${tail}`), numTurns };
}

export const stopWords: Readonly<Record<StopReason, string>> = {
  interrupt: 'Interrupted.',
  cancel: 'Cancelled.',
  shutdown: 'The server shut down before this turn ended.',
  time_limit: 'The turn was stopped because it reached its time limit.',
  run_limit: 'The turn was stopped because it reached the longest time that the operator allows.',
  max_budget: 'Claude Code continued by itself without any budget left, so it was stopped.',
  max_turns:
    'Claude Code was stopped because the prompt reached the limit of model calls, including those of subagents.',
  approval_timeout: 'The turn was stopped because nobody answered a request in time.',
};

/** Claude Code knows more of JSON Schema than this server, and exits with this line. */
const schemaMistake = /--json-schema is not a valid JSON Schema: (.+)/;

/** Why Claude Code exited before its conversation was under way. */
export function startFailure(exit: ProcessExit): AppError {
  const { reason: problem, stderrTail, neverStarted, refusal, isTransient = false } = exit;
  if (refusal !== undefined) return refusal;
  const [, mistake] = schemaMistake.exec(stderrTail) ?? [];
  if (mistake !== undefined)
    return new AppError('schema_invalid', { problem: `schema is not valid: ${mistake}` });
  if (isTransient) return new AppError('no_process_to_spare', { problem });
  return new AppError(neverStarted ? 'claude_not_started' : 'claude_ended_early', { problem, stderrTail });
}

/** Reports a turn whose prompt could not be delivered. A process that is stopped while it starts does not fail by itself. */
export function undelivered(error: unknown, reason: StopReason | undefined): TurnReport {
  if (reason !== undefined) return stopped(reason);
  return error instanceof AppError ? notStarted(error) : crashed(messageOf(error));
}

function notStarted(refusal: AppError): TurnReport {
  const report = { ...crashed(sentence(refusal.message)), refusal };
  return refusal.reason === 'not_signed_in' ? { ...report, errorSubtype: refusal.reason } : report;
}

function crashed(words: string): TurnReport {
  return { ...bare, outcome: 'failed', errorSubtype: 'crashed', result: words };
}

/** Reports a turn whose server stopped or was killed before it ended. */
export function restarted(prompts: readonly string[], by: StartedBy | undefined): TurnReport {
  const asked = prompts.length === 0 ? '' : ` It was asked: ${quoteWords(prompts.join('\n\n'), 500)}.`;
  const result =
    by === 'rewind'
      ? 'The server restarted before this rewind ended. Some files may have been restored.'
      : `The server restarted before this turn ended. Part of the work may have been done.${asked}`;
  return startedBy(by, { ...bare, outcome: 'failed', errorSubtype: 'server_restarted', result });
}

export function failed(words: string): TurnReport {
  return { ...bare, outcome: 'failed', errorSubtype: 'other', result: words };
}

/** Reports a turn of this server's own work, which costs nothing. */
export function own(outcome: 'completed' | 'interrupted', words: string): TurnReport {
  return { ...bare, outcome, result: words };
}

export function budgetSpent({ maxBudgetUsd }: EffectiveOptions, { whose, isHeld }: Refusal): TurnReport {
  const budget =
    whose === 'day' ? "Today's budget" : `The budget of this session and its forks, $${maxBudgetUsd},`;
  const result = isHeld
    ? `${budget} is reserved for running turns, so the prompt was not sent.`
    : `${budget} is spent, so the prompt was not sent.`;
  return {
    ...bare,
    outcome: 'failed',
    errorSubtype: 'max_budget',
    result,
    ...refusalOf(maxBudgetUsd, whose, isHeld),
  };
}

/** The caller can raise only the budget of the session, and only that one has the usual next step. */
function refusalOf(
  maxBudgetUsd: number | undefined,
  whose: Refusal['whose'],
  isHeld: boolean,
): Pick<TurnReport, 'refusal'> {
  if (whose === 'session' && maxBudgetUsd === 0) return { refusal: new AppError('no_budget') };
  if (isHeld) return { refusal: new AppError('budget_reserved') };
  return whose === 'day' ? { refusal: new AppError('day_budget_spent') } : {};
}

/** Whether the turn was stopped but the session is meant to continue. */
export function isPause(reason: StopReason | undefined): reason is 'interrupt' | 'time_limit' | 'run_limit' {
  return reason === 'interrupt' || reason === 'time_limit' || reason === 'run_limit';
}

/** Whether the process exited or was stopped, in which case queued prompts would fail the same way. */
export function isBroken({ errorSubtype }: TurnReport): boolean {
  return errorSubtype === 'crashed' || errorSubtype === 'time_limit' || errorSubtype === 'approval_timeout';
}

export const otherWorkEnded = 'Claude Code finished work that it began itself; the prompt is next';
export const forgotten =
  'Claude Code could not write its last answers to its transcript, so it no longer remembers them';
export const strayResult = 'Received a result that belongs to no prompt of the current turn';

/** Names files that go to the model with a prompt. */
export function attachedFiles(files: readonly AttachmentFacts[]): string {
  const names = files.map(
    ({ path, mediaType, bytes }) => `${quoteCode(path, 300)} (${mediaType}, ${bytes} bytes)`,
  );
  return `Attached ${names.join(', ')}`;
}

export function droppedPrompts(count: number): string {
  return `Dropped ${count === 1 ? 'a queued prompt' : `${count} queued prompts`}`;
}

/** Reports a prompt that Claude Code dropped. */
export const unanswered: TurnReport = failed('Claude Code ended its work on the prompt without a result.');

export function selfStarted(report: TurnReport): TurnReport {
  return startedBy('claude_code', report);
}

/** Marks the report of a turn that answers no prompt. */
export function startedBy(by: StartedBy | undefined, report: TurnReport): TurnReport {
  return by === undefined ? report : { ...report, startedBy: by };
}

/** Reports an unsolicited turn that ended without a result. */
export const nothingToReport: TurnReport = { ...bare, outcome: 'completed', result: '' };

export function toEvent({ outcome, errorSubtype, result }: TurnReport): EventBody {
  const text = cutMiddle(result, 1_000);
  if (errorSubtype === 'crashed') return { type: 'error', errorSubtype, text };
  return { type: 'result', outcome, ...(errorSubtype === undefined ? {} : { errorSubtype }), text };
}

export function inputRequested(request: InputRequest, redactor: Redactor): EventBody {
  const { requestId, kind, toolName, toolUseId, input, agent } = request;
  // Redacted before it is truncated: half a secret is no longer recognised.
  const summary = summarizeToolUse(toolName, redactor.redactValue(input));
  const asked = { requestId, toolUseId, kind, toolName, summary };
  return { type: 'input_request', ...asked, ...(agent === undefined ? {} : { agent }) };
}

export function inputResolved({ request, answer, decision, answeredBy, device }: SettledInput): EventBody {
  const { requestId, toolName, toolUseId } = request;
  const edited = answer.decision === 'allow' ? answer.updatedInput : undefined;
  const file = edited && changedFile(toolName, edited);
  return {
    type: 'input_resolved',
    requestId,
    decision,
    answeredBy,
    ...(device === undefined ? {} : { device }),
    ...(file === undefined ? {} : { toolUseId, file }),
  };
}

/** A call as part of our own text. */
export function inWords({ toolName, input }: InputAsk): string {
  return quoteSummary(summarizeToolUse(toolName, input), 300);
}
