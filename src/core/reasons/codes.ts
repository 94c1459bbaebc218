/** Who must act before the same call can succeed. */
export type Actor = 'caller' | 'person' | 'operator' | 'server';

interface ErrorEntry {
  readonly actor: Actor;
  /** Whether repeating the identical call later can succeed. */
  readonly retry: boolean;
  readonly meaning: string;
}

/** Every error code that a tool can return. docs/errors.md lists them with their reasons. */
export const errorCatalogue = {
  INVALID_ARGUMENT: {
    actor: 'caller',
    retry: false,
    meaning: 'An argument is missing, unknown, of the wrong type or out of range. Nothing was changed.',
  },
  SESSION_NOT_FOUND: {
    actor: 'caller',
    retry: false,
    meaning: 'No session has this id, here or in the records on disk.',
  },
  SESSION_BUSY: {
    actor: 'caller',
    retry: true,
    meaning: 'The session is running a turn, another process owns it, or it has just changed.',
  },
  PERMISSION_DENIED: {
    actor: 'operator',
    retry: false,
    meaning:
      'The operator does not allow callers to do this. The message names the setting that decides it, if there is one.',
  },
  TIMEOUT: {
    actor: 'caller',
    retry: true,
    meaning: 'Claude Code was not ready within the limit. No process is left running.',
  },
  CANCELLED: {
    actor: 'caller',
    retry: false,
    meaning:
      'The session or the call was cancelled, or the server is shutting down. The message says whether to try again.',
  },
  RESOURCE_EXHAUSTED: {
    actor: 'caller',
    retry: true,
    meaning: 'All process slots are in use, or the daily budget is spent.',
  },
  UNAVAILABLE: {
    actor: 'person',
    retry: false,
    meaning:
      'Claude Code cannot be started or cannot do this, or the server cannot write files that it needs. The message says what to do, and whether to try again.',
  },
  INTERNAL: {
    actor: 'server',
    retry: true,
    meaning: 'The server failed unexpectedly. The log has the details under the incident id.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
