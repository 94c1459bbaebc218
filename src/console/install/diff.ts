import { structuredPatch } from 'diff';
import { cutMiddle, escapeHidden } from '../../core/text/escape.js';
import type { Color, Paint } from '../terminal/paint.js';

const contextLines = 2;
const maxLineChars = 160;
const colors: Readonly<Record<string, Color>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** The changed lines with their neighbors. */
export function diffText(before: string, after: string, paint: Paint): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: contextLines });
  return hunks
    .flatMap(({ oldStart, lines }) => [`@@ line ${Math.max(1, oldStart)}`, ...lines])
    .map((line) => shown(line, paint))
    .join('');
}

function shown(line: string, paint: Paint): string {
  const visible = cutMiddle(escapeHidden(withoutSecrets(line.replace(/\r$/, ''))), maxLineChars);
  const color = colors[line[0] ?? ''] ?? 'dim';
  return `  ${paint(color, visible)}\n`;
}

const telling = /key|token|secret|passw|auth|bearer|credential/i;

/** Strings that are values, in JSON and in TOML. */
const values = /([:=,[]\s*)("(?:[^"\\]|\\.)*"|'[^']*')(?!\s*:)/g;

/** Files of clients often hold tokens, and terminals are recorded and shared. */
function withoutSecrets(line: string): string {
  return telling.test(line) ? line.replaceAll(values, '$1"…"') : line;
}
