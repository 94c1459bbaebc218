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
      return firstLine(`Thinks: ${event.text}`, maxLineChars);
    case 'tool_use':
      return event.summary;
    case 'tool_result':
      return firstLine(`${event.isError ? 'It failed' : 'It returned'}: ${event.text}`, maxLineChars);
    case 'input_request':
      return `Asks for approval: ${event.summary}`;
    case 'input_resolved':
      return `Answered by ${event.answeredBy}: ${event.decision}`;
    case 'task':
      return firstLine(`In the background, ${event.state}: ${event.text}`, maxLineChars);
    case 'result':
    case 'error':
      return firstLine(`Over: ${event.text}`, maxLineChars);
    case 'raw':
      return undefined;
  }
}
