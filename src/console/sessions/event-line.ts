import type { Decision, SessionEvent } from '../../core/session/events.js';
import { answererInWords } from '../../core/text/answerer.js';
import { escapeHidden, firstLine, oneLine } from '../../core/text/escape.js';
import { count, timeOfDay } from '../terminal/amounts.js';
import type { Color, Paint } from '../terminal/paint.js';

interface Look {
  readonly mark: string;
  readonly color?: Color;
  readonly text: string;
  /** Also for the text, not only for the mark. */
  readonly isShaded?: true;
}

const maxChars = 300;

const decisions: Readonly<Record<Decision, string>> = { allow: 'Allowed', deny: 'Denied', none: 'Closed' };

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
      return { mark: '✗', color: 'red', text: beginning(event) };
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
  return oneLine(`${decisions[decision]} by ${answererInWords(answeredBy, device)}`, maxChars);
}

/** The first line, and how many follow. A failed command may have printed any number. */
function beginning({ text, chars }: { readonly text: string; readonly chars?: number }): string {
  const lines = text.trim().split('\n');
  const first = firstLine(escapeHidden(lines[0]?.trim() ?? ''), maxChars);
  if (lines.length === 1) return first;
  return `${first} (and ${chars === undefined ? '' : 'at least '}${count(lines.length - 1, 'more line')})`;
}

/** Several lines, without control characters. */
export function paragraph(text: string): string {
  return escapeHidden(text.replaceAll('\r\n', '\n').trim());
}
