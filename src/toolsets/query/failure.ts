import { AppError } from '../../core/errors.js';
import type { ErrorSubtype } from '../../core/session/turn-failures.js';
import type { TurnResult } from '../../core/session/turn-result.js';
import { interruptedStep, turnStep } from '../shared/wording/turn-steps.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';

/** Why a query failed, and the next step. */
export interface Failure {
  readonly error: ErrorSubtype | 'interrupted';
  readonly message: string;
  readonly nextStep: string | undefined;
}

/** Reasons for which the query itself stops Claude. */
const causes = {
  invalid_key: "The API rejected this server's key or token twice (401).",
  time_limit: 'The query reached its time limit while background work was still running.',
} as const satisfies Partial<Record<ErrorSubtype, string>>;

export type StopCause = keyof typeof causes;

interface QueryOutcome {
  readonly result: TurnResult | undefined;
  readonly cause: StopCause | undefined;
  /** Whether the operator allows no more time than the query had. */
  readonly isLimitLongest: boolean;
}

export function failureOf(
  { result: reported, cause, isLimitLongest }: QueryOutcome,
  words: Vocabulary,
): Failure | undefined {
  if (reported?.outcome === 'completed' && cause !== 'time_limit') return undefined;
  const atLongest = isLimitLongest
    ? { refusal: new AppError('run_time_spent', { setting: 'CLAUDE_CODE_MAX_EXECUTION_TIME' }) }
    : {};
  if (cause !== undefined) {
    const nextStep = turnStep({ errorSubtype: cause, ...(cause === 'time_limit' ? atLongest : {}) }, words);
    return { error: cause, message: causes[cause], nextStep };
  }
  const result = reported?.errorSubtype === 'time_limit' ? { ...atLongest, ...reported } : reported;
  return {
    error: result?.errorSubtype ?? 'interrupted',
    message: result?.result ?? 'The session ended before it returned a result.',
    nextStep: (result && turnStep(result, words)) ?? interruptedStep(words),
  };
}
