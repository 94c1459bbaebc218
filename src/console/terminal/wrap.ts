import { widthOf } from './width.js';

/** Breaks a text between words. A longer word gets a line of its own. */
export function wrap(text: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Breaks each line of a text. */
export function wrapLines(text: string, columns: number | undefined): readonly string[] {
  return text.split('\n').flatMap((line) => wrap(line, columns));
}

/** The same for text that begins in a column of its own, below which its further lines stand. */
export function wrapBeside(text: string, indent: number, columns: number | undefined): readonly string[] {
  return wrapLines(text, columns === undefined ? undefined : Math.max(leastColumns, columns - indent));
}

/** In a narrower column, text cannot be read. */
const leastColumns = 18;
