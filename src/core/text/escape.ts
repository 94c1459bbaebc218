/**
 * Control, bidirectional, zero-width and blank characters, and code points without a glyph. Unless they are escaped, a
 * command can look different to its approver from what runs.
 */
const hidden = /(?:(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]){1,1000}/gu;

/**
 * Marks are drawn over the character before them. Many of them cover the lines around it. Runs are matched as a whole:
 * one match for each character of a long run would stop the server for seconds.
 */
const furtherMarks = /(?<=\p{M}{3})\p{M}{1,1000}/gu;

/** Makes every character visible. What is visible already stays as it is, even what looks like an escape. */
export function escapeHidden(text: string): string {
  return text.replace(hidden, escapeCharacters).replace(furtherMarks, escapeCharacters);
}

/** Writes each character as its code point: `\u{200b}`. */
export function escapeCharacters(run: string): string {
  return Array.from(run, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('');
}

/** Matches what `escapeCharacters` writes for one. */
export const escapedCharacter = /\\u\{[\da-f]{1,6}\}/;

/** Serialises to JSON in one visible line, for line readers and terminals, without changing its meaning. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(hidden, escapeInJson);
}

/** Serialises to JSON for approvers: every hidden character is visible, and a reader of JSON gets it back. */
export function visibleJson(value: object): string {
  return jsonLine(value).replace(furtherMarks, escapeInJson);
}

function escapeInJson(run: string): string {
  let escaped = '';
  for (let index = 0; index < run.length; index += 1)
    escaped += `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return escaped;
}

/** Matches the note that `cutMiddle` leaves in place of the removed text. */
export const cutNote = /…\[\d+ characters hidden\]…/;

/**
 * Keeps the head and tail of a text, with a note that counts the removed characters. `leftOut`: how many characters an
 * earlier cut has removed from the middle.
 */
export function cutMiddle(text: string, maxChars: number, leftOut = 0): string {
  const chars = text.length + leftOut;
  return text.length <= maxChars ? text : cutEnds({ start: text, end: text, chars }, maxChars);
}

interface Ends {
  readonly start: string;
  readonly end: string;
  /** Of the whole text. */
  readonly chars: number;
}

function cutEnds({ start, end, chars }: Ends, maxChars: number): string {
  const note = (hiddenChars: number): string => ` …[${hiddenChars} characters hidden]… `;
  const room = Math.max(0, maxChars - note(chars).length);
  const tailRoom = Math.floor(room / 3);
  const head = wholeCharacters(start.slice(0, room - tailRoom), 'end');
  const tail = tailRoom === 0 ? '' : wholeCharacters(end.slice(-tailRoom), 'start');
  return `${head}${note(chars - head.length - tail.length)}${tail}`;
}

/** A text up to this length is escaped as a whole, which takes some milliseconds at most. */
const wholeChars = 20_000;

/**
 * Shortens a text as it looks after `change`. Of a very long one, only the ends are changed: with megabytes, that would
 * stop the server for seconds.
 */
export function cutChanged(text: string, maxChars: number, change: (part: string) => string): string {
  const partChars = Math.max(maxChars, wholeChars / 2);
  if (text.length <= 2 * partChars) return cutMiddle(change(text), maxChars);
  const start = change(wholeCharacters(text.slice(0, partChars), 'end'));
  const end = change(wholeCharacters(text.slice(-partChars), 'start'));
  const chars = text.length + start.length + end.length - 2 * partChars;
  return cutEnds({ start, end, chars }, maxChars);
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
  return cutChanged(text, maxChars, visibleLine);
}

function visibleLine(text: string): string {
  return inOneLine(escapeHidden(text));
}

/** Writes each end of a line as our sign for it. */
export function inOneLine(text: string): string {
  return text.replaceAll('\n', ' ⏎ ');
}
