import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { Redactor } from '../core/observability/redactor.js';
import type { CallState, ToolOutcome } from '../core/tool-context.js';
import type { View } from '../core/view.js';
import { toInputRequest } from './forms.js';
import { formKey } from './request.js';

export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface RenderSettings {
  /** Final pass over every answer, except over what an approver reads. Texts that get truncated were redacted before. */
  readonly redactor: Redactor;
  /** Whether answers also carry `structuredContent`. */
  readonly isStructured: boolean;
  /** The field that is the text, for tools that always return structured content. */
  readonly plainText?: string | undefined;
  /** The longest result that the client passes on. */
  readonly maxChars?: number | undefined;
}

/** For clients of unknown limits. The strictest one truncates a result whose JSON string has more than 8,000 characters. */
export const maxResultChars = 7_500;

/** The result of a call as sent. `seal` protects the state that the client returns with a reply to a form. */
export async function render(
  outcome: ToolOutcome,
  seal: (state: CallState) => Promise<string>,
  settings: RenderSettings,
): Promise<ToolAnswer | InputRequiredResult> {
  if ('view' in outcome) return renderView(outcome.view, settings);
  return inputRequired({
    inputRequests: { [formKey]: toInputRequest(outcome.form) },
    requestState: await seal(outcome.state),
  });
}

/** The answer in full, or the longest version of it that fits. */
export function fit(view: View, maxChars = maxResultChars): object {
  return view((answer) => sentChars(answer) <= maxChars);
}

/** Clients carry our JSON text inside JSON of their own, so quotes and line breaks count twice. */
function sentChars(answer: object): number {
  return JSON.stringify(JSON.stringify(answer)).length;
}

function renderView(view: View, { redactor, isStructured, plainText, maxChars }: RenderSettings): ToolAnswer {
  const text = JSON.stringify(redactor.redactValue(fit(view, maxChars)));
  if (!isStructured && plainText === undefined) return { content: [{ type: 'text', text }] };
  // Parsing removes undefined keys, which validators of clients reject.
  const structuredContent = JSON.parse(text) as Record<string, unknown>;
  const plain = plainText === undefined ? undefined : structuredContent[plainText];
  if (typeof plain !== 'string') return { content: [{ type: 'text', text }], structuredContent };
  const { readMore } = structuredContent;
  // Some clients drop structured content, and with it the call that reads the rest of a truncated text.
  const more = typeof readMore === 'string' ? [{ type: 'text' as const, text: `readMore: ${readMore}` }] : [];
  return { content: [{ type: 'text', text: plain }, ...more], structuredContent };
}
