import type { ReasonTable } from './reason.js';

/** An open request, as a caller recognises it. */
export interface NamedRequest {
  readonly requestId: string;
  readonly summary: string;
}

/** Arguments that the tool does not accept, or that cannot be combined. */
export const argumentReasons = {
  arguments_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ problems }: { readonly problems: readonly string[] }) => problems.join('; '),
  },
  key_forbidden: {
    code: 'INVALID_ARGUMENT',
    message: ({ key, path }: { readonly key: string; readonly path: readonly string[] }) =>
      `unknown key "${key}"${path.length === 0 ? '' : ` in ${path.join('.')}`}`,
  },
  request_state_foreign: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this requestState has expired, or this server did not issue it',
  },
  request_state_of_other_call: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this requestState belongs to another call',
  },
  session_id_invalid: {
    code: 'INVALID_ARGUMENT',
    message: ({ text }: { readonly text: string }, keys) =>
      `${keys('sessionId')} "${text.slice(0, 60)}" is not a UUID or its first 8 characters`,
  },
  session_id_ambiguous: {
    code: 'INVALID_ARGUMENT',
    message: ({ text, count }: { readonly text: string; readonly count: number }) =>
      `${count} sessions have an id that begins with ${text}`,
  },
  session_id_at_start: {
    code: 'INVALID_ARGUMENT',
    message: ({ key }: { readonly key: string }) =>
      `unknown key "${key.slice(0, 60)}": this tool always starts a new session`,
  },
  session_id_missing: {
    code: 'INVALID_ARGUMENT',
    message: ({ action }: { readonly action: string }, keys) =>
      `action "${action}" requires ${keys('sessionId')}`,
  },
  request_id_missing: {
    code: 'INVALID_ARGUMENT',
    message: ({ open }: { readonly open: readonly NamedRequest[] }, keys) => {
      const names = open.map(({ requestId, summary }) => `${requestId} (${summary})`).join(', ');
      return `${keys('requestId')} is required. ${names === '' ? 'No request is open' : `Open requests: ${names}`}`;
    },
  },
  decision_missing: {
    code: 'INVALID_ARGUMENT',
    message: ({ action }: { readonly action: string }) => `action "${action}" requires decision`,
  },
  message_id_missing: {
    code: 'INVALID_ARGUMENT',
    message: ({ action }: { readonly action: string; readonly isUnread: boolean }, keys) =>
      `action "${action}" requires ${keys('messageId')}`,
  },
  action_key_misfit: {
    code: 'INVALID_ARGUMENT',
    message: (
      { key, action }: { readonly key: string; readonly action: string; readonly takes: readonly string[] },
      keys,
    ) => `${keys(key)} cannot be used with action "${action}"`,
  },
  one_or_several: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `pass exactly one of ${keys('sessionId')} and ${keys('sessionIds')}`,
  },
  page_of_several: {
    code: 'INVALID_ARGUMENT',
    message: ({ key }: { readonly key: 'requestId' | 'resultOffset' }, keys) =>
      `${keys(key)} applies to a single session`,
  },
  cursor_past_end: {
    code: 'INVALID_ARGUMENT',
    message: ({ cursor, end }: { readonly cursor: number; readonly end: number }) =>
      `cursor ${cursor} is past the end (${end})`,
  },
  cursor_not_of_one: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this cursor does not belong to a check of one session',
  },
  cursor_not_of_several: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this cursor does not belong to a check of several sessions',
  },
  offset_past_end: {
    code: 'INVALID_ARGUMENT',
    message: ({ offset, end }: { readonly offset: number; readonly end: number }) =>
      `offset ${offset} is past the end of this text (${end})`,
  },
  transcript_offset_stale: {
    code: 'INVALID_ARGUMENT',
    message: ({ offset }: { readonly offset: number }) =>
      `offset ${offset} does not match this transcript, which may have been replaced or truncated`,
  },
  no_result_yet: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this session has no result yet',
  },
  query_or_reading: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `exactly one of ${keys('prompt')} and ${keys('sessionId')} is required`,
  },
  query_key_misfit: {
    code: 'INVALID_ARGUMENT',
    message: ({ key, beside }: { readonly key: string; readonly beside: 'prompt' | 'sessionId' }, keys) =>
      `${keys(key)} cannot be used with ${keys(beside)}`,
  },
  reply_or_reading: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `exactly one of ${keys('prompt')} and ${keys('resultOffset')} is required`,
  },
  nothing_to_configure: {
    code: 'INVALID_ARGUMENT',
    message: () => 'no change was requested',
  },
  steer_with_options: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `limits and ${keys('diskResumeConfig')} cannot be combined with ${keys('whenBusy')} "steer"`,
  },
  key_twice: {
    code: 'INVALID_ARGUMENT',
    message: ({ key }: { readonly key: string }, keys) =>
      `${keys(key)} has two different values: one at the top level, one in an inner object`,
  },
  skip_permissions_conflict: {
    code: 'INVALID_ARGUMENT',
    message: ({ permissionMode }: { readonly permissionMode: string }, keys) =>
      `${keys('dangerouslySkipPermissions')} cannot be combined with ${keys('permissionMode', permissionMode)}`,
  },
  project_directory_relative: {
    code: 'INVALID_ARGUMENT',
    message: (
      {
        path,
      }: {
        readonly path: string;
        /** The absolute path, where the caller wrote `~`. */
        readonly meant?: string | undefined;
      },
      keys,
    ) => `${keys('projectDirectory')} ${path.slice(0, 200)} is not an absolute path`,
  },
} as const satisfies ReasonTable;
