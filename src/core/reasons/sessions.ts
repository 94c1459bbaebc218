import type { RequestKind } from './answers.js';
import type { ReasonTable } from './reason.js';

interface Named {
  readonly sessionId: string;
}

/** The request to answer before the session continues. */
export interface OpenRequest {
  readonly requestId: string;
  readonly kind: RequestKind;
}

/** What has changed since a call was resolved, and who has changed it. */
const justChanged = {
  session: (sessionId: string) => `another server has used session ${sessionId}`,
  options: (sessionId: string) => `another call has changed the options of session ${sessionId}`,
  rights: (sessionId: string) => `what this caller may request for session ${sessionId} has changed`,
} as const;

/** Sessions that cannot be found, reached or continued. */
export const sessionReasons = {
  session_unknown: {
    code: 'SESSION_NOT_FOUND',
    message: ({ sessionId }: Named) => `session ${sessionId} was not found`,
  },
  session_of_others: {
    code: 'SESSION_NOT_FOUND',
    message: ({
      sessionId,
    }: Named & {
      /** Whether this caller may continue it here. */
      readonly mayContinue: boolean;
    }) => `this server neither started nor continued session ${sessionId}`,
  },
  conversation_missing: {
    code: 'SESSION_NOT_FOUND',
    message: ({ sessionId }: Named) => `session ${sessionId} has no conversation on disk`,
  },
  conversation_lost: {
    code: 'SESSION_NOT_FOUND',
    message: () => 'the conversation of this session is not on disk',
  },
  query_over: {
    code: 'SESSION_NOT_FOUND',
    message: () => 'this query has ended, and its messages are no longer available',
  },
  record_damaged: {
    code: 'UNAVAILABLE',
    message: ({ sessionId }: Named) => `the record of session ${sessionId} is damaged`,
  },
  session_busy: {
    code: 'SESSION_BUSY',
    message: ({
      sessionId,
      activity,
    }: Named & {
      readonly activity: string;
      /** Whether the refused prompt could have been queued, or joined the turn. */
      readonly canQueue: boolean;
      /** The request that the session waits for, if it waits. */
      readonly openRequest: OpenRequest | undefined;
    }) => `session ${sessionId} is busy: ${activity}`,
  },
  session_changed: {
    code: 'SESSION_BUSY',
    message: ({ sessionId, what }: Named & { readonly what: keyof typeof justChanged }) =>
      `${justChanged[what](sessionId)} since this call began`,
  },
  session_open_elsewhere: {
    code: 'SESSION_BUSY',
    message: ({ holder, pid }: { readonly holder: 'server' | 'Claude Code'; readonly pid: number }) =>
      `another ${holder} process (pid ${pid}) has this session open`,
  },
  session_open_in_other_call: {
    code: 'SESSION_BUSY',
    message: () => 'another call to this server has this session open',
  },
  queue_full: {
    code: 'SESSION_BUSY',
    message: ({ limit }: { readonly limit: number }) => `${limit} prompts are already queued`,
  },
  session_cancelled: {
    code: 'CANCELLED',
    message: ({ sessionId }: Named) => `session ${sessionId} was cancelled`,
  },
  session_not_kept: {
    code: 'CANCELLED',
    message: ({ sessionId }: Named) =>
      `session ${sessionId} was not saved to disk, and its process has exited`,
  },
  process_fixed: {
    code: 'INVALID_ARGUMENT',
    message: ({ sessionId }: Named) =>
      `session ${sessionId} is not saved to disk, so it cannot get another process, which this prompt would need`,
  },
  stopped_while_starting: {
    code: 'CANCELLED',
    message: () => 'the session was stopped while it was starting',
  },
  call_cancelled: { code: 'CANCELLED', message: () => 'the call was cancelled' },
  shutting_down: { code: 'CANCELLED', message: () => 'the server is shutting down' },
  prompt_missing: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) => `a reply needs ${keys('prompt')}`,
  },
  resume_with_prompt: {
    code: 'INVALID_ARGUMENT',
    message: (_params: undefined, keys) =>
      `${keys('resumeInterrupted')} runs the earlier prompt again, so the reply takes no other prompt and no attachments`,
  },
  nothing_to_resume: {
    code: 'INVALID_ARGUMENT',
    message: ({ sessionId }: Named) => `no turn of session ${sessionId} was cut off by the end of a server`,
  },
  cut_prompt_masked: {
    code: 'INVALID_ARGUMENT',
    message: () => 'the prompt of that turn contained a secret, which is not saved',
  },
  nothing_to_fork: {
    code: 'INVALID_ARGUMENT',
    message: ({ sessionId }: Named) => `session ${sessionId} has no conversation on disk to fork`,
  },
  no_checkpoints: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this session keeps no file checkpoints',
  },
  checkpoint_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ messageId }: { readonly messageId: string; readonly isUnread: boolean }) =>
      `message ${messageId} has no file checkpoint`,
  },
  message_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ messageId }: { readonly messageId: string }) =>
      `message ${messageId} is not in the conversation of this session`,
  },
  foreign_resume_refused: {
    code: 'PERMISSION_DENIED',
    message: (_params: {
      readonly setting: 'CLAUDE_CODE_MCP_HISTORY=resume' | 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1';
    }) => 'this server may not resume sessions that it did not start',
  },
  foreign_reading_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'this server may not read sessions that it did not start',
  },
  listing_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'this server does not list sessions on disk',
  },
  details_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'this server does not show sensitive session details',
  },
  resume_token_missing: {
    code: 'PERMISSION_DENIED',
    message: ({ sessionId }: Named, keys) =>
      `session ${sessionId} is not loaded on this server, and resuming it needs its ${keys('resumeToken')}`,
  },
  resume_token_wrong: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) => `the ${keys('resumeToken')} does not match this session`,
  },
} as const satisfies ReasonTable;
