/** Characters that take two columns: most of East Asia, except what Unicode calls halfwidth, and emoji. */
const wide =
  /(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303e\u3190-\u33ff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;
const combining = /[\p{Mn}\p{Me}]/u;

/** The number of columns that a text without control characters takes. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + columnsOf(char), 0);
}

/** The text in at most `columns`. An ellipsis replaces what does not fit. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let left = columns - 1;
  let kept = '';
  for (const char of text) {
    left -= columnsOf(char);
    if (left < 0) break;
    kept += char;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export function pad(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;
}

function columnsOf(char: string): number {
  if (combining.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}
