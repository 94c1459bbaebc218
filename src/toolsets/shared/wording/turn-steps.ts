import type { ErrorSubtype } from '../../../core/session/turn-failures.js';
import type { TurnResult } from '../../../core/session/turn-result.js';
import { nextStepFor } from './next-step.js';
import { capital, either, given } from './sentences.js';
import type { Limit, Vocabulary } from './vocabulary.js';

type TurnStep = (words: Vocabulary) => string | undefined;

/** The next step after a turn that failed. A failure without a row here does not compile. */
const steps: { readonly [S in ErrorSubtype]: TurnStep } = {
  not_signed_in: (words) =>
    afterwards('A person must run `claude` and sign in on the machine of this server', words),
  invalid_key: (words) => afterwards('A person must correct the API key of this server', words),
  rate_limited: (words) => afterwards('Wait for the rate limit to pass', words),
  overloaded: (words) => afterwards('The API is overloaded: wait a minute', words),
  credit: (words) => afterwards('A person must add credit to the account', words),
  max_budget: (words) =>
    either(
      raise('maxBudgetUsd', words) ?? 'ask the operator to raise CLAUDE_CODE_MCP_MAX_BUDGET_USD',
      'stop here',
    ),
  max_turns: (words) => goOn('maxTurns', 'to let it go on', words),
  prompt_too_long: ({ startAgain }) =>
    given(startAgain, (start) => `${capital(start)} with a shorter prompt.`),
  refusal: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) => `The model refused: ${way} with a different request.`),
  model_not_found: ({ startAgain }) =>
    given(startAgain, (start) => `${capital(start)} with a model this account can use, or without model.`),
  connection: (words) => afterwards('The API could not be reached: check the network', words),
  time_limit: (words) => goOn('timeoutMs', 'to go on', words),
  approval_timeout: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) => `Nobody answered in time: ${way}, and answer what it asks.`),
  crashed: ({ reply, startAgain }) =>
    either(given(reply, (way) => `${way} to resume the conversation in a new process`) ?? startAgain),
  other: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) =>
      reply === undefined || startAgain === undefined
        ? `Read the result text, then ${way}.`
        : `Read the result text, then ${reply} or ${startAgain}.`,
    ),
};

/** Undefined for a turn that did not fail. */
export function turnStep(
  { errorSubtype, refusal }: Pick<TurnResult, 'errorSubtype' | 'refusal'>,
  words: Vocabulary,
): string | undefined {
  if (refusal !== undefined) return nextStepFor(refusal, words);
  return errorSubtype && steps[errorSubtype](words);
}

/** After a turn that was stopped from outside. */
export function interruptedStep({ reply, startAgain }: Vocabulary): string | undefined {
  return either(
    given(reply, (way) => `${way} to go on in the session`),
    startAgain,
  );
}

function afterwards(what: string, { retry }: Vocabulary): string {
  return retry === undefined ? `${what}.` : `${what}, then ${retry}.`;
}

/** How a limit of a session can be raised. */
function raise(
  limit: Limit,
  { reply, startAgain, replyLimits, startLimits }: Vocabulary,
): string | undefined {
  const way = replyLimits.includes(limit) ? reply : startLimits.includes(limit) ? startAgain : undefined;
  return given(way, (phrase) => `${phrase} with a higher ${limit}`);
}

function goOn(limit: Limit, purpose: string, words: Vocabulary): string | undefined {
  const { reply, replyLimits } = words;
  if (reply === undefined) return either(raise(limit, words));
  const more = replyLimits.includes(limit) ? `, with a higher ${limit} if it needs more` : '';
  return `${capital(reply)} ${purpose}${more}.`;
}
