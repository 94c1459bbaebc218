import type { Decision, SessionEvent } from '../../core/session/events.js';
import { answererInWords } from '../../core/text/answerer.js';
import { escapeHidden, firstLine, oneLine } from '../../core/text/escape.js';
import { count, timeOfDay } from '../terminal/amounts.js';
import type { Color, Paint } from '../terminal/paint.js';
import { wrapBeside } from '../terminal/wrap.js';

interface Look {
  readonly mark: string;
  readonly color?: Color;
  readonly text: string;
  /** Also for the text, not only for the mark. */
  readonly isShaded?: true;
}

const maxChars = 300;

const decisions: Readonly<Record<Decision, string>> = { allow: 'Allowed', deny: 'Denied', none: 'Closed' };

/** The columns of the time and the mark. */
const indent = 12;

export interface EventLayout {
  readonly paint: Paint;
  /** Undefined: lines are not broken. */
  readonly columns: number | undefined;
  /** Only the first line of Claude's words. */
  readonly isShort?: true;
}

/** An event in one line, or several if it is long or has words of Claude. Undefined if there is nothing to show. */
export function eventLine(event: SessionEvent, { paint, columns, isShort }: EventLayout): string | undefined {
  const look = lookOf(event);
  if (look === undefined) return undefined;
  const { mark, color, text, isShaded = false } = look;
  const agent = 'agent' in event ? `[${oneLine(event.agent ?? '', 40)}] ` : '';
  const words = isShort === true ? firstOf(text) : text;
  const [first = '', ...rest] = wrapBeside(`${agent}${words}`, indent, columns);
  const shade = (line: string): string =>
    color !== undefined && isShaded && line !== '' ? paint(color, line) : line;
  const head = `${paint('dim', timeOfDay(event.at))}  ${color === undefined ? mark : paint(color, mark)} ${shade(first)}`;
  const below = rest.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${shade(line)}`));
  return [head.trimEnd(), ...below].join('\n');
}

function firstOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
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
