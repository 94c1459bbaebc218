import { InsufficientScopeError, SdkError, SdkHttpError } from '@modelcontextprotocol/client';
import { isObject, parseJson } from '../core/json.js';
import { messageOf, sentence } from '../core/errors.js';

/** What the client reads when a message could not be passed on. */
export interface Failure {
  readonly code: number;
  readonly message: string;
}

/** The service cannot be found or started. Its message goes to the client as it is. */
export class NoServiceError extends Error {
  override readonly name = 'NoServiceError';
}

/** No message was sent: nothing listens, or it could not prove that it is the service. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly code: string;

  constructor(cause: Error) {
    super(`The service could not be reached: ${cause.message}`);
    this.code = 'code' in cause && cause.code === 'ECONNREFUSED' ? cause.code : 'NOT_THE_SERVICE';
  }
}

const serverError = -32_000;

/** The connection was never made. */
const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'NOT_THE_SERVICE',
]);

/** Whether the service has certainly not seen the message, so that it can be sent again. */
export function isUndelivered(error: unknown): boolean {
  return unreachable.has(codeOf(error) ?? '') || statusOf(error) === 503;
}

/** Whether the connection ended before an answer, so that the service may have seen the message. */
export function isInterrupted(error: unknown): boolean {
  return !(error instanceof SdkError) && codeOf(error) !== undefined;
}

/** Whether the service no longer knows the connection of the 2025 protocols. */
export function isSessionGone(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether the service does not accept the token. */
export function isRefusedToken(error: unknown): boolean {
  return statusOf(error) === 401;
}

/** Puts an error into words that say what to do next. */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof NoServiceError) return failure(error.message);
  if (error instanceof InsufficientScopeError)
    return failure(
      `The token does not allow this at ${url} (status 403). It needs the scope ${error.requiredScope ?? 'call'}. Create a token with "claude-code-mcp token create <name> --scope <a,b>".`,
    );
  const status = statusOf(error);
  if (status !== undefined) return refusal(status, bodyOf(error), url);
  const code = codeOf(error);
  const reason = code ?? messageOf(causeOf(error));
  if (code?.includes('CERT') === true || code?.includes('VERIFY') === true)
    return failure(
      `The certificate of the service at ${url} is not trusted (${reason}). Set NODE_EXTRA_CA_CERTS to the file of its certificate authority, then restart this client.`,
    );
  if (unreachable.has(reason))
    return failure(
      `The service at ${url} is not reachable (${reason}). Start it with "claude-code-mcp serve", or check its address. Then repeat the call.`,
    );
  return lost(url, reason);
}

/** A request that the service may have received, but whose answer will not arrive. */
export function lost(url: string, reason = 'the connection ended'): Failure {
  return failure(
    `The answer of the service at ${url} was lost (${reason}). Sessions that the service has started are not affected by this. List the sessions to see whether the call took effect, before you repeat it.`,
  );
}

function refusal(status: number, body: Partial<Failure>, url: string): Failure {
  const said = body.message === undefined ? '' : ` ${sentence(body.message)}`;
  const code = body.code ?? serverError;
  if (status === 401)
    return failure(
      `The service at ${url} refused the token (status 401).${said} Save a valid token in the file of --token-file, or set it as CLAUDE_CODE_MCP_TOKEN and restart this client.`,
      code,
    );
  if (status === 404 && body.message === undefined)
    return failure(`No MCP service is at ${url} (status 404). Check the address: it ends with /mcp.`, code);
  return failure(`The service at ${url} refused the request (status ${status}).${said}`, code);
}

function failure(message: string, code = serverError): Failure {
  return { code, message };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SdkHttpError ? error.status : undefined;
}

/** The words of the service. A proxy in front of it may have answered with a page instead. */
function bodyOf(error: unknown): Partial<Failure> {
  const text = error instanceof SdkHttpError ? error.data['text'] : undefined;
  const body = parseJson(typeof text === 'string' ? text : '');
  const inner = isObject(body) ? body['error'] : undefined;
  if (!isObject(inner)) return {};
  const { code, message } = inner;
  return {
    ...(typeof code === 'number' && { code }),
    ...(typeof message === 'string' && { message }),
  };
}

/** Node's fetch wraps the error of the connection in one that says nothing. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : error;
}

function codeOf(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && !one.name.startsWith('Sdk')) return one.code;
  }
  return undefined;
}
