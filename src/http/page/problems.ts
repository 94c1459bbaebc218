import type { AppError } from '../../core/errors.js';
import type { ErrorCode } from '../../core/reasons/codes.js';
import type { PageError } from '../../page/contract.js';

const open = 'Run "claude-code-mcp open" in a terminal';

interface Row {
  readonly status: number;
  readonly message: string;
}

/** Why the page refuses a request before the desk sees it. */
export const problems = {
  signed_out: { status: 401, message: `This browser is not signed in. ${open}.` },
  wrong_code: {
    status: 401,
    message: `This link was already used, or it is older than two minutes. ${open} to get a new one.`,
  },
  other_principal: {
    status: 409,
    message: `This link is for another principal than the one this browser is signed in for. To change that, sign out under Devices, and open a new link.`,
  },
  wrong_password: { status: 401, message: 'This password is wrong.' },
  no_password: { status: 401, message: `There is no password. ${open} to sign in.` },
  too_many_failures: { status: 429, message: 'Too many failed attempts. Try again in a minute.' },
  too_many_requests: { status: 429, message: 'Too many requests. Try again in a moment.' },
  login_unavailable: {
    status: 503,
    message: 'The server cannot check devices at the moment. Its log has the reason.',
  },
  shutting_down: { status: 503, message: 'The server is shutting down.' },
  device_not_found: { status: 404, message: 'There is no such device. It may have been revoked already.' },
  unknown_call: { status: 404, message: 'The server does not know this call. Reload the page.' },
  not_json: { status: 415, message: 'Calls must be sent as application/json.' },
  invalid_body: { status: 400, message: 'The body of this call is not valid. Reload the page.' },
  too_large: { status: 413, message: 'This is too long. Shorten it, and try again.' },
  too_slow: { status: 408, message: 'This call took too long to arrive. Try again.' },
  server_fault: { status: 500, message: 'The server failed unexpectedly. Its log has the reason.' },
} as const satisfies Readonly<Record<string, Row>>;

export type Problem = keyof typeof problems;

export interface ProblemDetails extends Pick<PageError, 'hasPassword'> {
  /** In seconds. */
  readonly retryAfter?: number;
}

export function problemAnswer(reason: Problem, details: ProblemDetails = {}): Response {
  const { status, message } = problems[reason];
  const { retryAfter, ...more } = details;
  return errorAnswer(
    status,
    { reason, message, ...more },
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );
}

const statuses: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  SESSION_NOT_FOUND: 404,
  SESSION_BUSY: 409,
  PERMISSION_DENIED: 403,
  TIMEOUT: 504,
  CANCELLED: 409,
  RESOURCE_EXHAUSTED: 503,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** What the desk refuses, in its own words. */
export function refusedByDesk({ code }: AppError, words: PageError): Response {
  return errorAnswer(statuses[code], words);
}

function errorAnswer(
  status: number,
  error: PageError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers });
}
