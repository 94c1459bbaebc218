import type { ErrorSubtype } from '../../../core/session/turn-failures.js';
import type { AppError } from '../../../core/errors.js';
import type { TurnResult } from '../../../core/session/turn-result.js';
import { signIn } from './host-steps.js';
import { nextStepFor } from './next-step.js';
import { capital, either, given, sentences } from './sentences.js';
import type { Limit, Vocabulary } from './vocabulary.js';

type Ended = Pick<TurnResult, 'startedBy'>;

type TurnStep = (words: Vocabulary, ended: Ended) => string | undefined;

/** The next step after a turn that failed. A failure without a row here does not compile. */
const steps: { readonly [S in ErrorSubtype]: TurnStep } = {
  not_signed_in: (words) => signIn({}, words, words.retry),
  invalid_key: (words) => afterwards("Ask the operator to correct this server's API key", words),
  rate_limited: (words) => afterwards('Wait for the rate limit to pass', words),
  overloaded: (words) => afterwards('Wait a minute for the overloaded API to recover', words),
  server_error: (words) => afterwards('The API failed: wait a minute for it to recover', words),
  credit: (words) => afterwards('Ask a person to add credit to the account', words),
  max_budget: (words) =>
    either(
      raise('maxBudgetUsd', words) ?? 'ask the operator to raise CLAUDE_CODE_MCP_MAX_BUDGET_USD',
      'stop here',
    ),
  max_turns: (words) => continueBeyond('maxTurns', words),
  prompt_too_long: ({ startAgain }) =>
    given(startAgain, (start) => `${capital(start)} with a shorter prompt.`),
  structured_output: ({ reply, startAgain }) =>
    either(
      given(reply, (way) => `${way} and explain how to fill the schema`),
      given(startAgain, (start) => `${start} with a simpler schema`),
    ),
  refusal: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) => `The model refused: ${way} with a different request.`),
  model_not_found: ({ startAgain }) =>
    given(
      startAgain,
      (start) => `${capital(start)} with a model that this account can use, or without model.`,
    ),
  connection: (words) => afterwards('Check the network connection to the API', words),
  time_limit: (words) => continueBeyond('timeoutMs', words),
  approval_timeout: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) => `${capital(way)}, and answer requests before they expire.`),
  crashed: ({ reply, startAgain }) =>
    either(given(reply, (way) => `${way} to resume the conversation in a new process`) ?? startAgain),
  server_restarted: (words, ended) => sentences(continueCutOff(words, ended), keepServer(words)),
  other: ({ reply, startAgain }) =>
    given(reply ?? startAgain, (way) =>
      reply === undefined || startAgain === undefined
        ? `Read the result text, then ${way}.`
        : `Read the result text, then ${reply} or ${startAgain}.`,
    ),
};

/** Undefined for a turn that did not fail. */
export function turnStep(
  { errorSubtype, refusal, ...ended }: Ended & Pick<TurnResult, 'errorSubtype' | 'refusal'>,
  words: Vocabulary,
): string | undefined {
  if (refusal !== undefined) return notStartedStep(refusal, words);
  return errorSubtype && steps[errorSubtype](words, ended);
}

/** The session exists, so its options are not where a start takes them, and a reply without them fails again. */
function notStartedStep(refusal: AppError, words: Vocabulary): string | undefined {
  const { resumeWith } = words;
  const initTimeout = given(resumeWith, () => 'sessionInitTimeoutMs');
  const step = nextStepFor(refusal, { ...words, initTimeout });
  if (!ofOptions.has(refusal.reason)) return step;
  return sentences(
    step,
    given(resumeWith, (place) => `Options of this session go in ${place}.`),
  );
}

const ofOptions: ReadonlySet<string> = new Set([
  'agent_unknown',
  'init_timeout',
  'launch_too_long',
  'sandbox_unavailable',
  'schema_invalid',
]);

/** After a turn that was interrupted. */
export function interruptedStep({ reply, startAgain }: Vocabulary): string | undefined {
  return either(
    given(reply, (way) => `${way} to continue the session`),
    startAgain,
  );
}

function afterwards(what: string, { retry }: Vocabulary): string {
  return retry === undefined ? `${what}.` : `${what}, then ${retry}.`;
}

function continueCutOff(words: Vocabulary, { startedBy }: Ended): string | undefined {
  const { reply, startAgain, resumeInterrupted, rewindAgain } = words;
  const goOn = given(reply, (way) => `${way} to continue the session`) ?? startAgain;
  if (startedBy === 'rewind') return either(rewindAgain, goOn);
  if (resumeInterrupted === undefined) return either(goOn);
  return either(
    `${resumeInterrupted} to run it again`,
    given(reply, (way) => `${way} with another prompt`),
  );
}

/** For clients that start a server for each call: it ends every turn that its call does not wait for. */
function keepServer({ start, isLocal, command }: Vocabulary): string | undefined {
  if (start === undefined || !isLocal) return undefined;
  return `If the server ends with every call, ask the operator to start it with \`${command} connect\`, which keeps sessions running.`;
}

/** How the caller can raise a limit of a session. */
function raise(
  limit: Limit,
  { reply, startAgain, replyLimits, startLimits }: Vocabulary,
): string | undefined {
  const way = replyLimits.includes(limit) ? reply : startLimits.includes(limit) ? startAgain : undefined;
  return given(way, (phrase) => `${phrase} with a higher ${limit}`);
}

function continueBeyond(limit: Limit, words: Vocabulary): string | undefined {
  const { reply, replyLimits } = words;
  if (reply === undefined) return either(raise(limit, words));
  const more = replyLimits.includes(limit) ? `, with a higher ${limit} if it needs more` : '';
  return `${capital(reply)} to continue${more}.`;
}
