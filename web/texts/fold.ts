import { count } from './time.js';

const maxLines = 24;
const maxChars = 2400;

/** Long text is folded. A request can be allowed only after what runs was shown whole. */
export function isLong(text: string): boolean {
  return text.length > maxChars || lineCount(text) > maxLines;
}

export function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The part of a long text that is shown at first. */
export function beginning(text: string): string {
  return text.split('\n', maxLines).join('\n').slice(0, maxChars);
}

/** `1,204 lines`, or characters if the text has few lines. */
export function sizeOf(text: string): string {
  const lines = lineCount(text);
  return lines > maxLines ? count(lines, 'line') : count(text.length, 'character');
}
