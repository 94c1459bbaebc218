import { cutMiddle } from './text/escape.js';

/** A message may quote what it complains about, and that may be of any length. */
const maxMessageChars = 3_000;

/** Who has to do something before the same call can succeed. */
export type Actor = 'caller' | 'person' | 'operator' | 'server';

interface ErrorEntry {
  readonly actor: Actor;
  /** Whether repeating the identical call later can succeed. */
  readonly retry: boolean;
  readonly meaning: string;
}

/** Every error a tool can answer with. docs/errors.md is this table. */
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
    meaning: 'The session is running a turn, or another process owns it.',
  },
  PERMISSION_DENIED: {
    actor: 'operator',
    retry: false,
    meaning:
      'The operator does not allow callers to do this. The message names the switch, where there is one.',
  },
  TIMEOUT: {
    actor: 'caller',
    retry: true,
    meaning: 'Claude Code did not get ready within the limit. Nothing is left running.',
  },
  CANCELLED: {
    actor: 'caller',
    retry: false,
    meaning: 'The session was cancelled for good, or the call was.',
  },
  RESOURCE_EXHAUSTED: {
    actor: 'caller',
    retry: true,
    meaning: 'All live processes are busy. The message names the sessions that hold them.',
  },
  UNAVAILABLE: {
    actor: 'person',
    retry: false,
    meaning:
      'Claude Code could not be started on this machine or could not do this, or the audit log cannot be written and the operator requires it. The message says what to do.',
  },
  INTERNAL: {
    actor: 'server',
    retry: true,
    meaning: 'A fault of this server. The log holds the details under the incident id.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The one error class whose text may reach a caller. `hint` is the next step. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** Whether the same may succeed in a moment, without anybody having done anything. */
  readonly isTransient: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.isTransient = options.isTransient ?? false;
  }
}

/** The text of an error result: `Error [CODE]: what happened. What to do next.` */
export function formatError(error: AppError): string {
  const text = `Error [${error.code}]: ${sentence(cutMiddle(error.message, maxMessageChars))}`;
  return error.hint === undefined ? text : `${text} ${sentence(error.hint)}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** With a full stop, if it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
