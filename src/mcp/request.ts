import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  LOG_LEVEL_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import type { FormReply } from '../core/forms.js';
import type { Redactor } from '../core/redactor.js';
import type { ToolContext } from '../core/tool-context.js';
import { canShowForms, toReply } from './forms.js';

/** The key of the one form in a result that asks for input. */
export const formKey = 'approval';

/** Whoever is behind the request: over stdio there is one client. */
export function clientIdOf(context: ServerContext): string {
  return context.http?.authInfo?.clientId ?? 'stdio';
}

export function callerOf(server: McpServer, context: ServerContext, isElicitationOn: boolean): Caller {
  return {
    clientId: clientIdOf(context),
    canAskPerson: isElicitationOn && canShowForms(capabilitiesOf(server, context)),
  };
}

/** Requests of 2026-07-28 carry the capabilities themselves; before that they belong to the connection. */
function capabilitiesOf(server: McpServer, { mcpReq }: ServerContext): ClientCapabilities {
  // The published type of the envelope is empty.
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {};
}

/** What the person entered; a retry without an answer to our form is no answer. */
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

/** In the 2026 protocol a request says whether it wants log notifications; before that the connection does. */
export function logOf({ mcpReq }: ServerContext, era: ProtocolEra, redactor: Redactor): ToolContext['log'] {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  if (era === 'modern' && envelope?.[LOG_LEVEL_META_KEY] === undefined) return undefined;
  return async ({ level, logger, data }) => {
    await mcpReq.log(level, redactor.redactValue(data), logger).catch(nobodyLeft);
  };
}

/** The client may have gone. */
function nobodyLeft(): void {
  // There is nobody to tell.
}
