import { firstLine } from '../../core/text/escape.js';
import type { SessionEvent } from '../../core/session/events.js';
import { quoteSummary, quoteWords } from '../../inputs/quote.js';

const maxLineChars = 200;
/** Escaping can lengthen a text. */
const escapedChars = 2 * maxLineChars;

/** An event as one progress line, with all words of Claude and of tools in quotes. Undefined if it is not worth a line. */
export function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'text':
      return `Claude says ${quoted(event.text)}`;
    case 'status':
      return firstLine(event.text, maxLineChars);
    case 'thinking':
      return `Thinking: ${quoted(event.text)}`;
    case 'tool_use':
      return quoteSummary(event.summary, escapedChars);
    case 'tool_result':
      return `${event.isError ? 'Failed' : 'Returned'}: ${quoted(event.text)}`;
    case 'input_request':
      return `Waiting for an answer: ${quoteSummary(event.summary, escapedChars)}`;
    case 'input_resolved':
      return event.decision === 'none'
        ? 'Request withdrawn'
        : `Request settled: ${event.decision}, by ${event.answeredBy}`;
    case 'task':
      return `Background task ${event.state}: ${quoted(event.text)}`;
    case 'result':
    case 'error':
      return `Ended: ${quoted(event.text)}`;
    case 'raw':
      return undefined;
  }
}

function quoted(text: string): string {
  return quoteWords(firstLine(text, maxLineChars), escapedChars);
}
