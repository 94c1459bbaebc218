/**
 * Control, bidirectional and zero-width characters made visible: without this a command can show an approver
 * something other than what runs.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

export function escapeHidden(text: string): string {
  return text.replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON that is one visible line for every reader of lines and on every terminal; its meaning stays the same. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(hidden, (char) =>
    char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Stands where `cutMiddle` has left something out. */
export const cutNote = /…\[\d+ characters hidden\]…/;

/** Head and tail of a text with what is missing between them counted, never a silent cut. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = (hiddenChars: number): string => ` …[${hiddenChars} characters hidden]… `;
  const room = Math.max(0, maxChars - note(text.length).length);
  const tail = Math.floor(room / 3);
  const head = wholeCharacters(text.slice(0, room - tail), 'end');
  const end = tail === 0 ? '' : wholeCharacters(text.slice(-tail), 'start');
  return `${head}${note(text.length - head.length - end.length)}${end}`;
}

/** Half of a surrogate pair at the cut would reach the caller as a broken character. */
function wholeCharacters(text: string, side: 'start' | 'end'): string {
  return side === 'end' ? text.replace(/[\ud800-\udbff]$/, '') : text.replace(/^[\udc00-\udfff]/, '');
}

export function firstLine(text: string, maxChars: number): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length <= maxChars ? line : `${wholeCharacters(line.slice(0, maxChars - 1), 'end')}…`;
}

/** One visible line, whatever the text holds. */
export function oneLine(text: string, maxChars: number): string {
  return cutMiddle(escapeHidden(text).replaceAll('\n', ' ⏎ '), maxChars);
}
