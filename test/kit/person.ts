/** The person behind a client: answers the forms that the client is sent, in their own time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';

export type ShownForm = {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** Aborts when the form is taken away. */
  readonly signal: AbortSignal;
};

/** Slower than a client that answers by itself, which nobody would believe. */
export const HUMAN_MS = 350;
/** A person may well say no quickly, but not within a second. */
export const HUMAN_NO_MS = 1_200;

export type Person = { readonly forms: ShownForm[] };

/** Declared by a client that can show forms. */
export const formCapability = { elicitation: { form: {} } } as const;

/** `answer` is asked for each form, after `delayMs`. */
export function seatPerson(
  client: Client,
  answer: (form: ShownForm, index: number) => ElicitResult | Promise<ElicitResult>,
  delayMs = HUMAN_MS,
): Person {
  const forms: ShownForm[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    if (!('requestedSchema' in params)) throw new Error('not a form');
    const { properties, required = [] } = params.requestedSchema;
    const form = { message: params.message, fields: properties, required, signal: mcpReq.signal };
    forms.push(form);
    await pause(delayMs);
    return answer(form, forms.length - 1);
  });
  return { forms };
}

export function accept(content: Record<string, string | string[]>): ElicitResult {
  return { action: 'accept', content };
}
