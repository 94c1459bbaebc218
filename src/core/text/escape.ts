/**
 * Control, bidirectional, zero-width and blank characters, and code points without a glyph. Unless they are escaped, a
 * command can look different to its approver from what runs.
 */
const hidden = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;

/** Marks are drawn over the character before them. Many of them cover the lines around it. */
const furtherMarks = /(?<=\p{M}{3})\p{M}/gu;

export function escapeHidden(text: string): string {
  return text.replace(hidden, escapeCharacter).replace(furtherMarks, escapeCharacter);
}

/** Writes a character as its code point: `\u{200b}`. */
export function escapeCharacter(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Matches what `escapeCharacter` writes. */
export const escapedCharacter = /\\u\{[\da-f]{1,6}\}/;

/** Serialises to JSON in one visible line, for line readers and terminals, without changing its meaning. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(hidden, (char) =>
    char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Matches the note that `cutMiddle` leaves in place of the removed text. */
export const cutNote = /…\[\d+ characters hidden\]…/;

/** Keeps the head and tail of a text, with a note that counts the removed characters. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = (hiddenChars: number): string => ` …[${hiddenChars} characters hidden]… `;
  const room = Math.max(0, maxChars - note(text.length).length);
  const tail = Math.floor(room / 3);
  const head = wholeCharacters(text.slice(0, room - tail), 'end');
  const end = tail === 0 ? '' : wholeCharacters(text.slice(-tail), 'start');
  return `${head}${note(text.length - head.length - end.length)}${end}`;
}

/** Half a surrogate pair at the cut would reach the caller as a broken character. */
export function wholeCharacters(text: string, side: 'start' | 'end'): string {
  return side === 'end' ? text.replace(/[\ud800-\udbff]$/, '') : text.replace(/^[\udc00-\udfff]/, '');
}

export function firstLine(text: string, maxChars: number): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length <= maxChars ? line : `${wholeCharacters(line.slice(0, maxChars - 1), 'end')}…`;
}

/** Turns any text into one visible line. */
export function oneLine(text: string, maxChars: number): string {
  return cutMiddle(escapeHidden(text).replaceAll('\n', ' ⏎ '), maxChars);
}
