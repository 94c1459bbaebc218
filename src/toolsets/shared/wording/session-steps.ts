import type { sessionReasons } from '../../../core/reasons/sessions.js';
import { useMessageId } from './argument-steps.js';
import { askOperatorTo, either, given, sentences } from './sentences.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

export const sessionSteps: StepsFor<typeof sessionReasons> = {
  session_unknown: (_params, { list, start, listedByOthers }) =>
    sentences(
      either(
        given(list, (call) => `call ${call}`),
        given(start, (tool) => `start a new one with ${tool}`),
      ),
      listedByOthers,
    ),
  conversation_missing: (_params, { list }) =>
    given(list, (call) => `Call ${call}, and use a session that has finished a turn.`),
  conversation_lost: (_params, words) => startNew(words),
  query_over: (_params, { reply, startAgain }) =>
    either(
      given(reply, (phrase) => `${phrase} to continue its session, which is on record`),
      startAgain,
    ),
  record_damaged: (_params, words) =>
    sentences(startNew(words), 'The operator finds the record in CLAUDE_CODE_MCP_STATE_DIR.'),
  session_busy: ({ canQueue }, { check, queue, interrupt }) =>
    either(
      given(check, (tool) => `wait with ${tool}`),
      canQueue ? queue : undefined,
      interrupt?.('it'),
    ),
  session_open_elsewhere: (_params, words) => closeOrFork(words),
  session_open_in_other_call: (_params, words) => closeOrFork(words),
  queue_full: (_params, { check }) => given(check, (tool) => `Wait with ${tool} until some have run.`),
  session_cancelled: (_params, words) => startNew(words),
  session_not_kept: (_params, words) => startNew(words),
  stopped_while_starting: () => 'Start it again.',
  call_cancelled: () => undefined,
  shutting_down: () => 'Connect again.',
  nothing_to_fork: (_params, words) => startNew(words),
  no_checkpoints: (_params, { checkpoints }) =>
    sentences(
      given(checkpoints, (option) => `Start a session with ${option}: true.`),
      'Earlier changes cannot be taken back.',
    ),
  checkpoint_unknown: (_params, words) => useMessageId(words),
  foreign_resume_refused: ({ setting }, { start }) =>
    either(
      given(start, (tool) => `start a new one with ${tool}`),
      askOperatorTo(`set ${setting}`),
    ),
  foreign_reading_refused: (_params, { start }) =>
    either(
      given(start, (tool) => `use a session that was started with ${tool}`),
      askOperatorTo('set CLAUDE_CODE_MCP_HISTORY=read'),
    ),
  session_outside_roots: () =>
    'Use a session of a folder in CLAUDE_CODE_MCP_ROOTS; CLAUDE_CODE_MCP_HISTORY=read reaches no further.',
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

function closeOrFork({ fork }: Vocabulary): string | undefined {
  return either(
    'close it there',
    given(fork, (reply) => `${reply} to go on in a copy`),
  );
}

function useResumeToken({ resumeToken }: Vocabulary): string | undefined {
  return resumeToken === undefined
    ? 'These tools take no token. Ask the operator to serve the toolset "async" (CLAUDE_CODE_MCP_TOOLSETS), which takes it.'
    : `Use ${resumeToken} (CLAUDE_CODE_MCP_RESUME_SECRET).`;
}
