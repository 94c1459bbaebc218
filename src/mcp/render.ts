import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { Redactor } from '../core/observability/redactor.js';
import type { CallState, FormOutcome } from '../core/tool-context.js';
import type { View } from '../core/view.js';
import { toElicitation } from './forms.js';
import { formKey } from './request.js';

export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface RenderSettings {
  /** Checks everything that leaves once more; texts that are cut were redacted before. */
  readonly redactor: Redactor;
  /** Whether an answer also carries its JSON as an object. */
  readonly isStructured: boolean;
}

/** No client shows more than this whole (the smallest cuts at 8,000). */
export const maxResultChars = 7_500;

/**
 * The first candidate that fits, or else the shortest. JSON escaping can make a text six times longer, so the only
 * honest measure is the JSON itself.
 */
export function fit(view: View): object {
  let last: object = {};
  for (const candidate of view) {
    last = candidate;
    if (JSON.stringify(candidate).length <= maxResultChars) break;
  }
  return last;
}

/** The result of a tool call: JSON text, and the same JSON as an object for clients that want it. */
export function renderView(view: View, { redactor, isStructured }: RenderSettings): ToolAnswer {
  const text = JSON.stringify(redactor.redactValue(fit(view)));
  const content: ToolAnswer['content'] = [{ type: 'text', text }];
  // Parsed, because only JSON drops the undefined keys that a client's validator would trip over.
  return isStructured
    ? { content, structuredContent: JSON.parse(text) as Record<string, unknown> }
    : { content };
}

/** The result that asks the person behind the client; the client calls again with their reply and the sealed state. */
export async function renderForm(
  { form, state }: FormOutcome,
  seal: (state: CallState) => Promise<string>,
  redactor: Redactor,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [formKey]: inputRequired.elicit(toElicitation(form, redactor)) },
    requestState: await seal(state),
  });
}
