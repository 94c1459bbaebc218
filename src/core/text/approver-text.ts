import { escapeCharacters, escapeHidden } from './escape.js';

/** Everything that looks like a backtick. Quotations of code escape it, and our sign for a new line. */
export const backticks = '`\u02cb\u02f4\u1fef\u2035\uff40';

/** Characters that an approver reads as escapes. */
const escapable = new RegExp(
  String.raw`[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\\${backticks}⏎]`,
  'u',
);

const anyEscape = /\\u\{([\da-f]{1,6})\}/g;
const beforeEscape = /\\(?=u\{([\da-f]{1,6})\})/g;
/** A backslash that would look like the beginning of an escape. */
export const escapedBackslash = escapeCharacters('\\');

/**
 * A text as an approver reads it: different texts never become the same characters. In a text that already reads
 * `\u{200b}`, the backslash is escaped, or an edit could put the hidden character in its place without a visible change.
 * Letters that look alike stay as they are: people write them, also `é` as two characters, as in names of files on a Mac.
 * This applies to original texts only: what is escaped already would be escaped again.
 */
export function escapeForApprover(text: string): string {
  return escapeHidden(
    text.replace(beforeEscape, (backslash, code: string) => (isEscape(code) ? escapedBackslash : backslash)),
  );
}

/** Restores the backslashes that `escapeForApprover` has escaped. */
export function restoreBackslashes(shown: string): string {
  return shown.replace(escapedBackslashes, '\\');
}

/** Matches a backslash that `escapeForApprover` has escaped. */
export const escapedBackslashes = /\\u\{5c\}(?=u\{[\da-f]{1,6}\})/g;

/** The first escape of a hidden character in what `escapeForApprover` returned. */
export function firstEscape(shown: string): string | undefined {
  for (const [escape, code = ''] of shown.replace(escapedBackslashes, '').matchAll(anyEscape))
    if (isEscape(code)) return escape;
  return undefined;
}

/** Whether a text such as `\u{200b}` shows a character, and is not a text that only has this form. */
export function showsCharacter(escape: string): boolean {
  return isEscape(escape.slice(3, -1));
}

/** Whether a character is shown by this code point. Others, such as letters, are never escaped. */
function isEscape(code: string): boolean {
  const point = Number.parseInt(code, 16);
  return point.toString(16) === code && point <= 0x10ffff && escapable.test(String.fromCodePoint(point));
}
