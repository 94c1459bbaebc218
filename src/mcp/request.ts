import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  inputResponse,
  LOG_LEVEL_META_KEY,
  type AuthInfo,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import type { FormReply } from '../core/forms.js';
import { asText } from '../core/json.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { ToolContext } from '../core/tool-context.js';
import { cutMiddle } from '../core/text/escape.js';
import { parseTrace } from '../core/trace.js';
import { showingOf, toReply } from './forms.js';

/** The key of the form in a result that asks for input. */
export const formKey = 'approval';

const maxIdChars = 100;

/** Over stdio there is only one client. */
export const onlyClient = 'stdio';

/** Identifies the client. */
export function clientIdOf(context: ServerContext): string {
  return context.http?.authInfo?.clientId ?? onlyClient;
}

/** The name of the token, or the subject of an OAuth token. */
export function loginOf(authInfo: AuthInfo | undefined): string | undefined {
  return asText(authInfo?.extra?.['credential']);
}

/** Whether the credential of this request may answer requests. Over stdio there are no credentials. */
export function mayAnswer(authInfo: AuthInfo | undefined): boolean {
  return authInfo === undefined || authInfo.scopes.includes('approve');
}

export function callerOf(
  server: Server,
  context: ServerContext,
  { era, isElicitationOn }: { readonly era: ProtocolEra; readonly isElicitationOn: boolean },
): Caller {
  const { _meta: meta, id } = context.mcpReq;
  const envelope = envelopeOf(context);
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  const isApprover = mayAnswer(context.http?.authInfo);
  const can = showingOf(capabilities);
  return {
    clientId: clientIdOf(context),
    login: loginOf(context.http?.authInfo),
    canAskPerson: isElicitationOn && isApprover && can.showForms,
    canOpenPage: isElicitationOn && isApprover && can.openPages,
    mayAnswer: isApprover,
    client: nameOf(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()),
    era,
    // The client chooses its length, and every log line about this call repeats it.
    callId: id === undefined ? undefined : cutMiddle(String(id), maxIdChars),
    trace: parseTrace(meta?.[TRACEPARENT_META_KEY], meta?.[TRACESTATE_META_KEY]),
  };
}

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  readonly [CLIENT_INFO_META_KEY]?: Implementation;
}

/** Since 2026-07-28 each request carries the client's identity; before, the connection does. */
function envelopeOf({ mcpReq: { envelope = {} } }: ServerContext): Envelope {
  return envelope;
}

/** Truncated, because the client chooses both texts. */
export function nameOf(client: Implementation | undefined): string | undefined {
  return client && cutMiddle(`${client.name} ${client.version}`, 120);
}

/** The person's reply. A retry that does not answer our form counts as cancelled. */
export function replyOf({ mcpReq }: ServerContext): FormReply {
  const response = inputResponse(mcpReq.inputResponses, formKey);
  return response.kind === 'elicit' ? toReply(response) : { action: 'cancel' };
}

export function progressOf({ mcpReq }: ServerContext, redactor: Redactor): ToolContext['progress'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let count = 0;
  return async (message) => {
    count += 1;
    const params = { progressToken: token, progress: count, message: redactor.redact(message) };
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(nobodyLeft);
  };
}

/** In the modern era each request opts in to log notifications; before, the connection does. */
export function logOf({ mcpReq }: ServerContext, era: ProtocolEra, redactor: Redactor): ToolContext['log'] {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  if (era === 'modern' && envelope?.[LOG_LEVEL_META_KEY] === undefined) return undefined;
  return async ({ level, logger, data }) => {
    await mcpReq.log(level, redactor.redactValue(data), logger).catch(nobodyLeft);
  };
}

/** Ignores a notification that fails because the client has disconnected. */
function nobodyLeft(): void {
  // Nothing to do: no client is left to notify.
}
