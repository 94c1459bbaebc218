import type { ReasonTable } from './reason.js';

interface Named {
  readonly sessionId: string;
}

/** Sessions that cannot be found, reached or continued. */
export const sessionReasons = {
  session_unknown: {
    code: 'SESSION_NOT_FOUND',
    message: ({ sessionId }: Named) => `no session ${sessionId} is known here`,
  },
  conversation_missing: {
    code: 'SESSION_NOT_FOUND',
    message: ({ sessionId }: Named) => `no conversation of session ${sessionId} is on disk`,
  },
  conversation_lost: {
    code: 'SESSION_NOT_FOUND',
    message: () => 'the conversation of this session is no longer on disk',
  },
  query_over: {
    code: 'SESSION_NOT_FOUND',
    message: () => 'this query is over, and its messages are gone',
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
    }) => `session ${sessionId} is busy: ${activity}`,
  },
  session_open_elsewhere: {
    code: 'SESSION_BUSY',
    message: ({ holder, pid }: { readonly holder: 'server' | 'Claude Code'; readonly pid: number }) =>
      `another ${holder} (pid ${pid}) has this session open`,
  },
  session_open_in_other_call: {
    code: 'SESSION_BUSY',
    message: () => 'another call to this server has this session open',
  },
  queue_full: {
    code: 'SESSION_BUSY',
    message: ({ limit }: { readonly limit: number }) => `${limit} prompts are queued already`,
  },
  session_cancelled: {
    code: 'CANCELLED',
    message: ({ sessionId }: Named) => `session ${sessionId} was cancelled`,
  },
  session_not_kept: {
    code: 'CANCELLED',
    message: ({ sessionId }: Named) => `session ${sessionId} kept nothing on disk and its process has ended`,
  },
  stopped_while_starting: {
    code: 'CANCELLED',
    message: () => 'the session was stopped while it started',
  },
  call_cancelled: { code: 'CANCELLED', message: () => 'the call was cancelled' },
  shutting_down: { code: 'CANCELLED', message: () => 'the server is shutting down' },
  nothing_to_fork: {
    code: 'INVALID_ARGUMENT',
    message: ({ sessionId }: Named) => `session ${sessionId} has nothing on disk to fork`,
  },
  no_checkpoints: {
    code: 'INVALID_ARGUMENT',
    message: () => 'this session keeps no checkpoints of files',
  },
  checkpoint_unknown: {
    code: 'INVALID_ARGUMENT',
    message: ({ messageId }: { readonly messageId: string }) => `no files are kept for message ${messageId}`,
  },
  foreign_resume_refused: {
    code: 'PERMISSION_DENIED',
    message: (_params: {
      readonly setting: 'CLAUDE_CODE_MCP_HISTORY=resume' | 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1';
    }) => 'sessions that this server did not start cannot be resumed here',
  },
  foreign_reading_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'sessions that this server did not start cannot be read here',
  },
  session_outside_roots: {
    code: 'PERMISSION_DENIED',
    message: ({ sessionId }: Named) =>
      `session ${sessionId} belongs to a folder outside those of this server`,
  },
  listing_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'sessions on disk are not shown here',
  },
  details_refused: {
    code: 'PERMISSION_DENIED',
    message: () => 'sensitive details of sessions are not shown on this server',
  },
  resume_token_missing: {
    code: 'PERMISSION_DENIED',
    message: ({ sessionId }: Named, keys) =>
      `session ${sessionId} is not known here, and going on with it needs its ${keys('resumeToken')}`,
  },
  resume_token_wrong: {
    code: 'PERMISSION_DENIED',
    message: (_params: undefined, keys) => `the ${keys('resumeToken')} is not that of this session`,
  },
} as const satisfies ReasonTable;
