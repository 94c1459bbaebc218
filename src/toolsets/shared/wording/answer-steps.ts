import type { answerReasons } from '../../../core/reasons/answers.js';
import { acceptedOnly, capital, either, given, sentences, stillOpen } from './sentences.js';
import type { StepsFor } from './steps.js';

const answerAgain = stillOpen('Answer again.');

export const answerSteps: StepsFor<typeof answerReasons> = {
  request_settled: (_params, { check }) =>
    given(check, (tool) => `Call ${tool} to see which requests are open.`),
  request_changed: (_params, { check }) => given(check, (tool) => `Call ${tool} and read the new request.`),
  request_unknown: (_params, { check, openRequest, reply }) =>
    sentences(
      given(check, (tool) => `Call ${tool}${openRequest === undefined ? '' : ` and use ${openRequest}`}.`),
      given(reply, (way) => `If the server was restarted, the request has ended: ${way} to continue.`),
    ),
  request_id_ambiguous: () => 'Pass the whole id.',
  request_ended: ({ wasRewind }, { reply, rewindAgain }) =>
    wasRewind
      ? given(rewindAgain, (way) => `${capital(way)}.`)
      : given(
          reply,
          (way) => `${capital(way)} to continue the session; Claude asks again for what it needs.`,
        ),
  request_open_elsewhere: (_params, { check }) =>
    either(
      'answer it with the client of that server',
      given(check, (tool) => `wait with ${tool} until it is settled`),
    ),
  request_not_in_session: (_params, { openRequest }) => given(openRequest, (name) => `Use ${name}.`),
  request_of_other_session: (_params, { keys }) =>
    `Use the ${keys('sessionId')} of the session that opened it.`,
  request_of_other_kind: ({ kind }, { answerWith }) => given(answerWith, (way) => `Use ${way(kind)}.`),
  answer_key_misfit: ({ accepted }, { keys, has }) =>
    stillOpen(acceptedOnly(accepted.filter(has).map((key) => keys(key)))),
  grant_impossible: () => stillOpen('Use "allow".'),
  grant_of_masked: () => stillOpen('Use "allow" for this one call, or deny it.'),
  edit_invalid: (_params, { keys }) =>
    stillOpen(`Pass the whole input, or leave ${keys('updatedInput')} out to run the original input.`),
  edit_around_rule: () => stillOpen('Deny it with a message that says what to run instead.'),
  answers_missing: () => stillOpen('Answer again, or deny it.'),
  question_takes_one: () => stillOpen('Pass one label or one text.'),
  question_answered_twice: () => stillOpen('Answer each question once.'),
  question_ambiguous: () => stillOpen('Use the number of the question.'),
  option_ambiguous: () => stillOpen('Say in words of your own which one you mean.'),
  question_unknown: () => stillOpen('Use the text, the header or the number of a question.'),
  plan_empty: () => stillOpen('Pass the whole plan, or answer without a plan to approve the original.'),
  plan_unreadable: () => answerAgain,
  answers_unreadable: () => answerAgain,
  permission_updates_invalid: (_params, { has }) =>
    stillOpen(
      has('updatedPermissions')
        ? 'Use {type:"addRules",rules:[{toolName,ruleContent?}],behavior?:"allow"|"deny"}, {type:"setMode",mode} or {type:"addDirectories",directories}.'
        : undefined,
    ),
  permission_updates_kept: () => stillOpen('Use destination "session", or leave it out.'),
  next_mode_refused: () => stillOpen('Use "default" or "acceptEdits".'),
  approve_scope_missing: () =>
    stillOpen('Answer it in a client whose token has this scope, or wait until someone else answers it.'),
  grant_needs_person: () => stillOpen('Use "allow" for this one call, or deny it.'),
  approval_needs_person: ({ canAskPerson, answerAt, isShown, shownAgainInMs }, { whileChecking }) => {
    if (answerAt !== undefined) return stillOpen(`A person can answer it at ${answerAt}. You can deny it.`);
    if (!canAskPerson)
      return stillOpen('Deny it, or connect with a client that shows forms (elicitation) to a person.');
    const when = isShown ? 'now' : whileChecking?.(Math.ceil(shownAgainInMs / 1000));
    return stillOpen(
      `Wait for the person, who sees a form${when === undefined ? '' : ` ${when}`}, or deny it.`,
    );
  },
};
