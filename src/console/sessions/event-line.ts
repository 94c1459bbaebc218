import type { SessionEvent } from '../../core/session/events.js';
import { escapeHidden, oneLine } from '../../core/text/escape.js';
import { timeOfDay } from '../terminal/amounts.js';
import type { Color, Paint } from '../terminal/paint.js';

interface Look {
  readonly mark: string;
  readonly color?: Color;
  readonly text: string;
  /** Also for the text, not only for the mark. */
  readonly isShaded?: true;
}

const maxChars = 300;

const answerWords: Readonly<Record<string, string>> = {
  allow: 'Allowed',
  allow_for_session: 'Allowed for the session',
  deny: 'Denied',
};

/** An event in one line or, for words of Claude, several. Undefined if there is nothing to show. */
export function eventLine(event: SessionEvent, paint: Paint): string | undefined {
  const look = lookOf(event);
  if (look === undefined) return undefined;
  const { mark, color, text, isShaded = false } = look;
  const agent = 'agent' in event ? `[${oneLine(event.agent ?? '', 40)}] ` : '';
  const [first = '', ...rest] = `${agent}${text}`.split('\n');
  const shade = (words: string): string =>
    color !== undefined && isShaded && words !== '' ? paint(color, words) : words;
  const head = `${paint('dim', timeOfDay(event.at))}  ${color === undefined ? mark : paint(color, mark)} ${shade(first)}`;
  return [head.trimEnd(), ...rest.map((words) => (words === '' ? '' : `            ${shade(words)}`))].join(
    '\n',
  );
}

function lookOf(event: SessionEvent): Look | undefined {
  switch (event.type) {
    case 'text':
      return { mark: '•', text: paragraph(event.text) };
    case 'thinking':
      return { mark: '∴', color: 'dim', text: oneLine(event.text.trim(), maxChars), isShaded: true };
    case 'tool_use':
      return { mark: '▸', color: 'cyan', text: oneLine(event.summary, maxChars) };
    case 'tool_result':
      if (!event.isError) return undefined;
      return { mark: '✗', color: 'red', text: oneLine(event.text.trim(), maxChars) };
    case 'input_request':
      return { mark: '?', color: 'yellow', text: `Needs an answer: ${oneLine(event.summary, maxChars)}` };
    case 'input_resolved':
      return { mark: '↳', color: 'yellow', text: settled(event) };
    case 'status':
      return { mark: '·', color: 'dim', text: oneLine(event.text, maxChars), isShaded: true };
    case 'task':
      return {
        mark: '·',
        color: 'dim',
        text: oneLine(`Background task ${event.state}: ${event.text}`, maxChars),
        isShaded: true,
      };
    case 'result':
      if (event.outcome === 'completed') return { mark: '✓', color: 'green', text: 'Turn completed' };
      return {
        mark: event.outcome === 'interrupted' ? '■' : '✗',
        color: event.outcome === 'interrupted' ? 'yellow' : 'red',
        text: oneLine(`Turn ${event.outcome}: ${event.text.trim()}`, maxChars),
      };
    case 'error':
      return { mark: '✗', color: 'red', text: `Turn failed: ${oneLine(event.text.trim(), maxChars)}` };
    case 'raw':
      return undefined;
  }
}

function settled({
  decision,
  answeredBy,
  device,
}: Extract<SessionEvent, { readonly type: 'input_resolved' }>): string {
  const words = answerWords[decision] ?? 'Ended without an answer';
  return oneLine(device === undefined ? `${words} (${answeredBy})` : `${words} (on ${device})`, maxChars);
}

/** Several lines, without control characters. */
export function paragraph(text: string): string {
  return escapeHidden(text.replaceAll('\r\n', '\n').trim());
}
