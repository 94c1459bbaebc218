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
  invalid_key: 'The API refused the key or token of this server (401), twice.',
  time_limit: 'The time limit of the query was reached while work went on in the background.',
} as const satisfies Partial<Record<ErrorSubtype, string>>;

export type StopCause = keyof typeof causes;

export function failureOf(
  result: TurnResult | undefined,
  cause: StopCause | undefined,
  words: Vocabulary,
): Failure | undefined {
  if (result?.outcome === 'completed' && cause !== 'time_limit') return undefined;
  if (cause !== undefined) {
    const nextStep = turnStep({ errorSubtype: cause }, words);
    return { error: cause, message: causes[cause], nextStep };
  }
  return {
    error: result?.errorSubtype ?? 'interrupted',
    message: result?.result ?? 'The session ended before there was a result.',
    nextStep: (result && turnStep(result, words)) ?? interruptedStep(words),
  };
}
