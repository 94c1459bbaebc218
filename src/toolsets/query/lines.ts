import { firstLine } from '../../core/text/escape.js';
import type { SessionEvent } from '../../core/session/events.js';

const maxLineChars = 200;

/** An event as one progress line. Undefined if it is not worth a line. */
export function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'text':
    case 'status':
      return firstLine(event.text, maxLineChars);
    case 'thinking':
      return firstLine(`Thinking: ${event.text}`, maxLineChars);
    case 'tool_use':
      return event.summary;
    case 'tool_result':
      return firstLine(`${event.isError ? 'Failed' : 'Returned'}: ${event.text}`, maxLineChars);
    case 'input_request':
      return `Waiting for an answer: ${event.summary}`;
    case 'input_resolved':
      return event.decision === 'none'
        ? 'Request withdrawn'
        : `Request settled: ${event.decision}, by ${event.answeredBy}`;
    case 'task':
      return firstLine(`Background task ${event.state}: ${event.text}`, maxLineChars);
    case 'result':
    case 'error':
      return firstLine(`Ended: ${event.text}`, maxLineChars);
    case 'raw':
      return undefined;
  }
}
