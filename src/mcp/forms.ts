import type { ClientCapabilities, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import type { Form, FormReply } from '../core/forms.js';

/** Whether a client with these capabilities can show a form. URL elicitation alone is not enough. */
export function canShowForms({ elicitation }: ClientCapabilities): boolean {
  // Before 2025-11-25 clients declared no kind, and forms were the only one.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Sends a form as it is: the text by which a person approves was masked when it was built. */
export function toElicitation({ message, fields, required }: Form): ElicitRequestFormParams {
  return {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { ...fields }, required: [...required] },
  };
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
