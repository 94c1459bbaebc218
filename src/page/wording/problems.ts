import { sentence, type AppError } from '../../core/errors.js';
import { argumentReasons } from '../../core/reasons/arguments.js';
import { messageFor, type ParamsOf, type Reason } from '../../core/reasons/index.js';
import { nextStepFor } from '../../toolsets/shared/wording/next-step.js';
import { capital } from '../../toolsets/shared/wording/sentences.js';
import { settledInWords } from './settled.js';
import { pageVocabulary } from './vocabulary.js';

type Words = { readonly [R in Reason]?: (params: ParamsOf<R>) => string };

const reload = 'Reload the page.';
const startNew = 'Start a new session.';

/** What the page says itself, because it knows which button or field a person sees. */
const words: Words = {
  arguments_invalid: ({ problems }) =>
    `The page sent something invalid: ${problems.join('; ')}. Correct it, or reload the page.`,
  session_id_invalid: () =>
    'The address of this page contains no valid session id. Choose a session from the list.',
  cursor_past_end: () => reload,

  request_settled: (params) => settledInWords(params),
  request_changed: () =>
    'Links, folders or the plan have changed since this request was shown. Nothing was approved. Read the new request.',
  request_unknown: () =>
    'This request is no longer open. The server may have restarted, or the request ended with its session.',
  request_ended: ({ wasRewind }) =>
    `This request ended with the server that opened it, and nothing was approved.${wasRewind ? '' : ' Send a prompt to continue: Claude asks again for what it needs.'}`,
  request_open_elsewhere: ({ pid }) =>
    `Another server (process ${pid}) has this request open. Answer it in the client or on the page of that server.`,
  answer_key_misfit: () => `This answer does not fit the request, so nothing was approved. ${reload}`,
  grant_impossible: () => 'This call needs an answer each time. Choose "Allow once".',
  grant_of_masked: () =>
    'This contains a secret that you cannot read, so it cannot be allowed for the whole session. Allow it once, or deny it.',
  edit_invalid: ({ problem }) =>
    `Your edit cannot run: ${problem}. The request is still open. Correct the edit, or answer without it.`,
  edit_around_rule: ({ rule }) =>
    `Your edit could get around the deny rule ${rule}. The request is still open. Deny it, and tell Claude what to run instead.`,
  answers_missing: () => 'Choose an option or write an answer. The request is still open.',
  question_takes_one: ({ question }) =>
    `The question "${question}" takes one answer. The request is still open.`,
  question_unknown: () => `The questions have changed, so nothing was answered. ${reload}`,
  question_ambiguous: () => `The questions have changed, so nothing was answered. ${reload}`,
  option_ambiguous: ({ question }) =>
    `Your answer to "${question}" could mean several options. The request is still open. Choose one, or write more.`,
  question_answered_twice: ({ question }) =>
    `The question "${question}" is answered twice. The request is still open.`,
  plan_empty: () => 'The edited plan is empty. The request is still open.',
  plan_unreadable: () => 'The edited plan is not text. The request is still open.',
  next_mode_refused: ({ mode }) =>
    `Mode "${mode}" cannot follow a plan. The request is still open. Choose another mode.`,

  session_of_others: ({ mayContinue }) =>
    `This session was started elsewhere. ${mayContinue ? 'Continue it here first, or use' : 'Use'} the program that has it open.`,
  session_unknown: () => 'This session does not exist, or its folder is no longer allowed.',
  conversation_missing: () =>
    'This session has no conversation on disk yet. Try again when its first turn has begun.',
  conversation_lost: () => `The conversation of this session is not on disk. ${startNew}`,
  session_busy: () => 'The session is busy. Wait until its turn has ended, or interrupt it.',
  session_changed: () =>
    'The session has just changed, so nothing was done. Read what has changed, then try again.',
  session_open_elsewhere: ({ holder, pid }) =>
    `Another ${holder} process (${pid}) has this session open. Close it there, then try again.`,
  queue_full: ({ limit }) => `${limit} prompts are already queued. Wait until some have run.`,
  session_cancelled: () => `This session was cancelled. ${startNew}`,
  session_not_kept: () => `This session was not saved, and its process has exited. ${startNew}`,
  process_fixed: () =>
    `This session is not saved, so it cannot get another process, which this prompt would need. ${startNew}`,
  stopped_while_starting: () => 'The session was stopped while it was starting.',
  shutting_down: () => 'The server is shutting down. The page reconnects when the server is back.',
  foreign_resume_refused: ({ setting }) =>
    `This server is not allowed to continue sessions that it did not start. Continue the session in a terminal, or set ${setting}.`,
  foreign_reading_refused: () =>
    'This server is not allowed to show sessions that it did not start. To allow it, set CLAUDE_CODE_MCP_HISTORY=read.',
  resume_token_missing: () =>
    'The operator requires a token to continue this session (CLAUDE_CODE_MCP_RESUME_SECRET). Continue it in a terminal.',

  folder_unusable: ({ option, path, problem, meant }) => {
    if (option === 'sessionCwd')
      return `The folder of this session, ${path}, ${problem}. Restore it, or start a new session.`;
    const enter = meant === undefined ? 'Enter the absolute path of an existing folder.' : `Enter ${meant}.`;
    return `The folder ${path} ${problem}. ${enter}`;
  },
  folder_outside_roots: ({ option, path }) =>
    `The folder ${path} is outside the folders that this server allows (CLAUDE_CODE_MCP_ROOTS). ${chooseFolder(option, 'another folder')}`,
  folder_too_wide: ({ option, path, what }) =>
    `Sessions may not work in ${path}: it is ${what}. ${chooseFolder(option, 'a project folder')}`,
  mode_unlisted: ({ mode, modes }) =>
    `Mode "${mode}" is not allowed on this server (CLAUDE_CODE_MCP_CALLER_MODES). Choose ${modes.join(', ')}.`,
  mode_auto_approving: ({ mode }) =>
    `Mode "${mode}" would run edits without approval, which this server does not allow. Choose another mode.`,
  bypass_refused: () => 'This server does not allow mode "bypassPermissions". Choose another mode.',
  over_cap: ({ cap, setting }) => `The limit of this server is ${cap} (${setting}). Enter a smaller number.`,
};

/** A session that is continued stays in its own folder. */
function chooseFolder(option: string, folder: string): string {
  return option === 'sessionCwd' ? `Start a new session in ${folder}.` : `Choose ${folder}.`;
}

/** An error in words for a person: what happened, and what to do next on the page or the machine. */
export function inWords(error: AppError): string {
  const { reason, params } = error;
  const own = words[reason] as ((params: unknown) => string) | undefined;
  if (own !== undefined) return own(params);
  // The page chooses the arguments, so a person cannot correct them.
  if (Object.hasOwn(argumentReasons, reason)) return `The page sent something invalid. ${reload}`;
  const message = sentence(capital(messageFor(reason, params, pageVocabulary.keys)));
  const step = nextStepFor(error, pageVocabulary);
  return step === undefined ? message : `${message} ${step}`;
}
