import type { argumentReasons } from '../../../core/reasons/arguments.js';
import { either, given } from './sentences.js';
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
  session_id_missing: (_params, { list }) => given(list, (call) => `Use one of those that ${call} shows.`),
  request_id_missing: (_params, { openRequest }) => given(openRequest, (name) => `Use ${name}.`),
  decision_missing: () => 'Say allow or deny.',
  message_id_missing: (_params, words) => useMessageId(words),
  action_key_misfit: ({ takes }, { keys, has }) =>
    `It takes ${takes.filter(has).map(keys).join(', ') || 'nothing else'}.`,
  one_or_several: (_params, { keys }) =>
    `Use ${keys('sessionId')} for one session, ${keys('sessionIds')} for several.`,
  cursor_past_end: () => 'Use 0 to read everything that is left.',
  cursor_not_of_one: () =>
    'Use the number in the last snapshot of this session, or 0 for everything that is left.',
  cursor_not_of_several: (_params, { keys }) =>
    `Use the cursor of the last answer to ${keys('sessionIds')}, or leave it out.`,
  offset_past_end: (_params, { keys }) => `Begin at 0 and go on with ${keys('nextOffset')}.`,
  no_result_yet: (_params, { check }) => given(check, (tool) => `Wait for one with ${tool}.`),
  nothing_to_configure: (_params, { keys }) => `Give model, ${keys('permissionMode')}, or both.`,
  steer_with_options: () => 'What joins a running turn runs with the options of that turn.',
  skip_permissions_conflict: () => 'Leave one of them out.',
  project_directory_relative: () => 'Pass the absolute path of a project folder.',
};

/** The call that asked a person cannot be continued, but its session can. */
function findSession({ list, check, startAgain }: Vocabulary): string | undefined {
  if (list === undefined || check === undefined) return either(startAgain);
  return `Call ${list} to find the session, and go on with ${check}.`;
}

export function useMessageId({ messageIds }: Vocabulary): string | undefined {
  return given(messageIds, (where) => `Use the uuid of a message of role "user", from ${where}.`);
}
