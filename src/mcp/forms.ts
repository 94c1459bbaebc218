import {
  inputRequired,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type InputRequest,
} from '@modelcontextprotocol/server';
import type { Form, FormReply, Showing } from '../core/forms.js';

/** What a client with these capabilities can do for us. */
export function showingOf({ elicitation }: ClientCapabilities): Showing {
  return {
    // Before 2025-11-25 clients declared no kind, and forms were the only one.
    showForms: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    openPages: elicitation?.url !== undefined,
  };
}

/** Sends a form as it is: the text by which a person approves was masked when it was built. */
export function toElicitation({
  message,
  fields,
  required,
  url,
}: Form): ElicitRequestFormParams | ElicitRequestURLParams {
  // The address names the request, so it serves as the id too.
  if (url !== undefined) return { mode: 'url', message, url, elicitationId: url };
  return {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { ...fields }, required: [...required] },
  };
}

/** The same in the protocol in which the client calls again with the reply. */
export function toInputRequest(form: Form): InputRequest {
  const elicitation = toElicitation(form);
  return elicitation.mode === 'url'
    ? inputRequired.elicitUrl({ message: elicitation.message, url: elicitation.url })
    : inputRequired.elicit(elicitation);
}

/** Both protocol eras return the reply in this shape. */
export function toReply(result: {
  readonly action: ElicitResult['action'];
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}): FormReply {
  return result.action === 'accept'
    ? { action: 'accept', content: result.content ?? {} }
    : { action: result.action };
}
