import type { ToolOutcome } from '../../src/core/tool-context.js';
import type { View } from '../../src/core/view.js';
import { fit } from '../../src/mcp/render.js';

/** The JSON text of a view, as a client would receive it. */
export function viewText(view: View): string {
  return JSON.stringify(fit(view));
}

/** The same for the outcome of a tool, which must not be a form. */
export function answerText(outcome: ToolOutcome): string {
  if (!('view' in outcome)) throw new Error('the tool returned a form instead of an answer');
  return viewText(outcome.view);
}

/** How long a result is as the JSON string in which a client carries it. */
export function carriedChars(text: string): number {
  return JSON.stringify(text).length;
}
