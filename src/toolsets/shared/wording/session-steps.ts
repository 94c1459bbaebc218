import { isUuid } from '../../../core/ids.js';
import type { sessionReasons } from '../../../core/reasons/sessions.js';
import { useMessageId } from './argument-steps.js';
import { askOperatorTo, either, given, sentences } from './sentences.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

export const sessionSteps: StepsFor<typeof sessionReasons> = {
  session_unknown: ({ sessionId }, { list, start }) =>
    either(
      // Sessions of the terminal are not completed.
      isUuid(sessionId) ? undefined : 'pass the whole id of a session that was not started here',
      given(list, (call) => `call ${call} to see the sessions`),
      given(start, (tool) => `start a new session with ${tool}`),
    ),
  session_of_others: ({ mayContinue }, { reply }) =>
    either(
      'do this in the program that has it open',
      mayContinue ? given(reply, (way) => `${way} to continue it here`) : undefined,
    ),
  conversation_missing: (_params, { list }) =>
    given(list, (call) => `Call ${call} and choose a session that has finished a turn.`),
  conversation_lost: (_params, words) => startNew(words),
  query_over: (_params, { reply, startAgain }) =>
    either(
      given(reply, (phrase) => `${phrase} to continue its session, which is saved`),
      startAgain,
    ),
  record_damaged: (_params, words) =>
    sentences(startNew(words), 'The damaged file is in CLAUDE_CODE_MCP_STATE_DIR.'),
  session_busy: ({ sessionId, canQueue, openRequest }, { check, queue, interrupt, answer, retry }) =>
    either(
      openRequest === undefined
        ? given(check, (tool) => `wait with ${tool}`)
        : given(answer, (call) => `answer it with ${call({ sessionId, ...openRequest })}`),
      canQueue ? queue : undefined,
      interrupt?.('it'),
    ) ?? either(given(retry, (way) => `wait until its turn has ended, then ${way}`)),
  session_changed: () => 'Repeat the call.',
  session_open_elsewhere: (_params, words) => orFork('close it there', words),
  session_open_in_other_call: (_params, words) => orFork('wait until that call has ended', words),
  queue_full: (_params, { check }) => given(check, (tool) => `Wait with ${tool} until some have run.`),
  session_cancelled: (_params, words) => startNew(words),
  session_not_kept: (_params, words) => startNew(words),
  process_fixed: (_params, { startAgain }) => either('leave out what the reply changes', startAgain),
  stopped_while_starting: () => 'Repeat the call.',
  call_cancelled: () => undefined,
  shutting_down: () => 'Reconnect, then try again.',
  prompt_missing: (_params, { keys, resumeInterrupted }) =>
    either(
      `pass ${keys('prompt')}`,
      given(resumeInterrupted, (way) => `${way}, if a restart has cut off its turn`),
    ),
  resume_with_prompt: () => 'Leave one of them out.',
  nothing_to_resume: (_params, { reply }) => either(given(reply, (way) => `${way} with a prompt`)),
  cut_prompt_masked: (_params, { reply }) => either(given(reply, (way) => `${way} with the whole prompt`)),
  nothing_to_fork: (_params, words) => startNew(words),
  no_checkpoints: (_params, { checkpoints }) =>
    sentences(
      given(checkpoints, (option) => `Start a session with ${option}: true.`),
      'Changes made so far cannot be restored.',
    ),
  checkpoint_unknown: useMessageId,
  message_unknown: (_params, { messageIds }) => given(messageIds, (where) => `Use a uuid from ${where}.`),
  foreign_resume_refused: ({ setting }, { start }) =>
    either(
      given(start, (tool) => `start a new session with ${tool}`),
      askOperatorTo(`set ${setting}`),
    ),
  foreign_reading_refused: (_params, { start }) =>
    either(
      given(start, (tool) => `use a session that was started with ${tool}`),
      askOperatorTo('set CLAUDE_CODE_MCP_HISTORY=read'),
    ),
  listing_refused: (_params, { keys }) =>
    either(`use ${keys('scope')} "server"`, askOperatorTo('set CLAUDE_CODE_MCP_HISTORY=list')),
  details_refused: (_params, { keys }) =>
    either(
      `leave ${keys('includeSensitive')} out`,
      askOperatorTo('set CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS=1'),
    ),
  resume_token_missing: (_params, words) => useResumeToken(words),
  resume_token_wrong: (_params, words) => useResumeToken(words),
};

function startNew({ start }: Vocabulary): string | undefined {
  return given(start, (tool) => `Start a new session with ${tool}.`);
}

function orFork(way: string, { fork }: Vocabulary): string | undefined {
  return either(
    way,
    given(fork, (reply) => `${reply} to continue in a copy`),
  );
}

function useResumeToken({ resumeToken }: Vocabulary): string | undefined {
  return resumeToken === undefined
    ? 'These tools do not accept a token. Ask the operator to add "async" to CLAUDE_CODE_MCP_TOOLSETS, whose tools do.'
    : `Use ${resumeToken}. The operator requires it (CLAUDE_CODE_MCP_RESUME_SECRET).`;
}
