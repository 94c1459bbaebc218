import type { argumentReasons } from '../../../core/reasons/arguments.js';
import { acceptedOnly, askOperatorTo, either, given } from './sentences.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

export const argumentSteps: StepsFor<typeof argumentReasons> = {
  arguments_invalid: () => 'Correct the arguments and call again.',
  key_forbidden: () => 'Leave it out.',
  request_state_foreign: (_params, words) => findSession(words),
  request_state_of_other_call: (_params, words) => findSession(words),
  session_id_invalid: (_params, { start, list, keys }) =>
    either(
      given(start, (tool) => `use the ${keys('sessionId')} that ${tool} returned`),
      given(list, (call) => `call ${call}`),
    ),
  session_id_ambiguous: () => 'Pass the whole id.',
  session_id_at_start: (_params, { replyTool }) =>
    either(
      given(replyTool, (tool) => `call ${tool} to continue a session`),
      'leave the key out to start one',
    ),
  session_id_missing: (_params, { list }) => given(list, (call) => `Call ${call} to find one.`),
  request_id_missing: ({ open }, { openRequest, check }) =>
    open.length === 0
      ? given(check, (tool) => `Call ${tool} to see what the session does.`)
      : given(openRequest, (name) => `Read the request, then use ${name}.`),
  decision_missing: () => 'Set decision to "allow" or "deny".',
  message_id_missing: useMessageId,
  action_key_misfit: ({ takes }, { keys, has }) => acceptedOnly(takes.filter(has).map((key) => keys(key))),
  one_or_several: (_params, { keys }) =>
    `Use ${keys('sessionId')} for one session, ${keys('sessionIds')} for several.`,
  page_of_several: (_params, { keys }) => `Pass ${keys('sessionId')} instead of ${keys('sessionIds')}.`,
  cursor_past_end: () => 'Use 0 to read all stored events.',
  cursor_not_of_one: () =>
    'Use the number from the last snapshot of this session, or 0 to read all stored events.',
  cursor_not_of_several: (_params, { keys }) =>
    `Use the cursor from the last call with ${keys('sessionIds')}, or leave it out.`,
  offset_past_end: (_params, { keys }) => `Start at 0 and continue with ${keys('nextOffset')}.`,
  transcript_offset_stale: (_params, { keys }) => `Start at 0 and continue with ${keys('nextOffset')}.`,
  no_result_yet: (_params, { check, keys }) =>
    given(check, (tool) => `Call ${tool} without ${keys('resultOffset')} to wait for one.`) ??
    'Try again when its turn has ended.',
  query_or_reading: (_params, { reply, keys }) =>
    either(
      `pass ${keys('prompt')} to run a query`,
      `pass ${keys('sessionId')} to read an earlier one`,
      given(reply, (phrase) => `${phrase} to continue it`),
    ),
  query_key_misfit: ({ beside }, { keys }) =>
    either(
      'leave it out',
      beside === 'prompt'
        ? `pass ${keys('sessionId')} instead of ${keys('prompt')} to read an earlier query`
        : undefined,
    ),
  reply_or_reading: (_params, { keys }) =>
    either(`pass ${keys('prompt')} to continue`, `pass ${keys('resultOffset')} to read the last answer`),
  nothing_to_configure: (_params, { keys }) => `Pass model, ${keys('permissionMode')}, or both.`,
  steer_with_options: () =>
    'Leave them out: a prompt that joins a running turn uses the options of that turn.',
  key_twice: () => 'Leave one of them out.',
  skip_permissions_conflict: () => 'Leave one of them out.',
  project_directory_relative: ({ meant }) =>
    meant === undefined ? 'Pass the absolute path of a project folder.' : `Pass ${meant}.`,
};

/** The call that asked a person cannot be continued, but its session can. */
function findSession({ list, check, startAgain }: Vocabulary): string | undefined {
  if (list === undefined || check === undefined) return either(startAgain);
  return `Call ${list} to find the session, then continue with ${check}.`;
}

/** `isUnread`: the caller may not read the transcript that has the uuids. */
export function useMessageId(
  { isUnread }: { readonly isUnread: boolean },
  { messageIds }: Vocabulary,
): string | undefined {
  if (isUnread)
    return `To read the uuids of a session that this server did not start, ${askOperatorTo('set CLAUDE_CODE_MCP_HISTORY=read')}.`;
  return given(messageIds, (where) => `Use the uuid of a "user" message from ${where}.`);
}
