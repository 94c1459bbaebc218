import type { ReasonTable } from './reason.js';

/** Answers that are rejected. The request stays open. */
export const answerReasons = {
  request_settled: {
    code: 'INVALID_ARGUMENT',
    message: ({
      requestId,
      answeredBy,
      decision,
      device,
    }: {
      readonly requestId: string;
      readonly answeredBy: string;
      readonly decision: string;
      /** The name of the device, if a person answered on the page. */
      readonly device?: string | undefined;
      readonly sessionId?: string | undefined;
      readonly at?: number | undefined;
    }) =>
      decision === 'none'
        ? `request ${requestId} was withdrawn`
        : `request ${requestId} is already settled (decision: ${decision}, answered by: ${answeredBy}${device === undefined ? '' : ` on "${device}"`})`,
  },
  request_changed: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId }: { readonly requestId: string }) =>
      `nothing was approved: request ${requestId} no longer says what would happen, because links, folders or the plan have changed`,
  },
  request_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId }: { readonly requestId: string }) =>
      `request ${requestId.slice(0, 60)} is not open`,
  },
  request_id_ambiguous: {
    code: 'INVALID_ARGUMENT',
    message: ({ text, count }: { readonly text: string; readonly count: number }) =>
      `${count} requests have an id that begins with ${text.slice(0, 60)}`,
  },
  request_ended: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId }: { readonly requestId: string; readonly wasRewind: boolean }) =>
      `request ${requestId.slice(0, 60)} ended when the server that opened it stopped, and nothing was approved`,
  },
  request_open_elsewhere: {
    code: 'SESSION_BUSY',
    message: ({ requestId, pid }: { readonly requestId: string; readonly pid: number }) =>
      `request ${requestId.slice(0, 60)} is open in another server process (pid ${pid})`,
  },
  request_not_in_session: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId }: { readonly requestId: string }) =>
      `request ${requestId} is not open in this session`,
  },
  request_of_other_session: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId }: { readonly requestId: string }) =>
      `request ${requestId} belongs to another session`,
  },
  request_of_other_kind: {
    code: 'INVALID_ARGUMENT',
    message: ({ requestId, kind }: { readonly requestId: string; readonly kind: RequestKind }) =>
      `request ${requestId} is a ${kind}`,
  },
  answer_key_misfit: {
    code: 'INVALID_ARGUMENT',
    message: (
      {
        key,
        decision,
        kind,
      }: {
        readonly key: string;
        readonly decision: string;
        readonly kind: RequestKind;
        readonly accepted: readonly string[];
      },
      keys,
    ) => `${keys(key)} cannot be used with decision "${decision}" on a ${kind}`,
  },
  grant_impossible: {
    code: 'INVALID_ARGUMENT',
    message: ({ kind }: { readonly kind: RequestKind }) =>
      `this ${kind} cannot be allowed for the whole session: it needs an answer each time`,
  },
  grant_of_masked: {
    code: 'PERMISSION_DENIED',
    message: ({ kind }: { readonly kind: RequestKind }) =>
      `this ${kind} cannot be allowed for the whole session: it contains a secret of the operator, which is masked`,
  },
  edit_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ problem }: { readonly problem: string }, keys) =>
      `${keys('updatedInput')} is invalid: ${problem}`,
  },
  edit_around_rule: {
    code: 'PERMISSION_DENIED',
    message: ({ rule }: { readonly rule: string }, keys) =>
      `${keys('updatedInput')} is not allowed: it could bypass the deny rule ${rule}`,
  },
  answers_missing: {
    code: 'INVALID_ARGUMENT',
    message: ({ question, option }: { readonly question: string; readonly option: string }, keys) =>
      `to allow a question, pass ${keys('answers')}, such as ${JSON.stringify({ [question]: option })}`,
  },
  question_takes_one: {
    code: 'INVALID_ARGUMENT',
    message: ({ question }: { readonly question: string }) => `the question "${question}" takes one answer`,
  },
  question_answered_twice: {
    code: 'INVALID_ARGUMENT',
    message: ({ question }: { readonly question: string }) => `the question "${question}" is answered twice`,
  },
  question_ambiguous: {
    code: 'INVALID_ARGUMENT',
    message: ({ key }: { readonly key: string }) => `"${key.slice(0, 100)}" could mean several questions`,
  },
  option_ambiguous: {
    code: 'INVALID_ARGUMENT',
    message: ({ question, answer }: { readonly question: string; readonly answer: string }) =>
      `"${answer.slice(0, 100)}" could mean several options of the question "${question}"`,
  },
  question_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ key, questions }: { readonly key: string; readonly questions: readonly string[] }) =>
      `"${key.slice(0, 100)}" is not one of the questions: ${questions.map((text, index) => `[${index}] "${text}"`).join(', ')}`,
  },
  plan_empty: {
    code: 'INVALID_ARGUMENT',
    message: () => 'the edited plan is empty',
  },
  plan_unreadable: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `${keys('updatedInput')} of a plan_review must be {plan} with the text of the plan`,
  },
  answers_unreadable: {
    code: 'INVALID_ARGUMENT',
    message: () =>
      'answers must be a list in the order of the questions, or an object that maps each question to its answer',
  },
  permission_updates_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ problem }: { readonly problem: string | undefined }, keys) =>
      `${keys('updatedPermissions')} is invalid${problem === undefined ? '' : `: ${problem}`}`,
  },
  permission_updates_kept: {
    code: 'PERMISSION_DENIED',
    message: ({ destination }: { readonly destination: string }, keys) =>
      `${keys('updatedPermissions')} cannot be saved to "${destination}": it is the user's own configuration`,
  },
  next_mode_refused: {
    code: 'PERMISSION_DENIED',
    message: ({ mode }: { readonly mode: string }) => `an answer cannot switch the session to mode "${mode}"`,
  },
  approve_scope_missing: {
    code: 'PERMISSION_DENIED',
    message: () => 'the token of this client does not have the scope "approve", so it cannot answer requests',
  },
  grant_needs_person: {
    code: 'PERMISSION_DENIED',
    message: () => 'only a person may allow this for the whole session, because a person can be asked',
  },
  approval_needs_person: {
    code: 'PERMISSION_DENIED',
    message: ({
      approvals,
    }: {
      readonly approvals: 'human' | 'auto';
      readonly canAskPerson: boolean;
      /** The page on which a person can answer. */
      readonly answerAt?: string | undefined;
      /** Whether the person sees the form of this request now. */
      readonly isShown: boolean;
      /** How long a form that nobody answered stays away from calls that do not wait. */
      readonly shownAgainInMs: number;
    }) =>
      approvals === 'human'
        ? 'only a person may approve on this server (CLAUDE_CODE_MCP_APPROVALS=human)'
        : 'a person has answered in this client or on the page, so only a person may approve (CLAUDE_CODE_MCP_APPROVALS=auto)',
  },
} as const satisfies ReasonTable;

export type RequestKind = 'permission' | 'plan_review' | 'user_question';
