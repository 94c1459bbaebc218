import { moreLinks, type ServerOrigin } from '../core/session/inputs.js';
import { backticks, escapeForApprover } from '../core/text/approver-text.js';
import { cutChanged, escapeCharacters, escapeHidden, inOneLine } from '../core/text/escape.js';

/*
 * Our own lines quote the agent in two ways: `code` is exact, and "words" are in its own words. Both kinds of text are
 * unable to close their quotation, or to contain a mark that looks like the end of it.
 */

/** Everything that looks like a quotation mark. A run counts as one, because '' looks like ". */
const quotationMarks =
  /["'`\p{Pi}\p{Pf}\u00b4\u02b9-\u02bd\u02c8\u02ca\u02cb\u02dd\u02ee\u02f4\u02f6\u055a\u05f3\u05f4\u1fef\u1ffd\u201a\u201e\u2032-\u2037\u275b-\u275e\u301d-\u301f\u3003\uff02\uff07\uff40\u{1f676}-\u{1f678}]+/gu;

const anyBacktick = new RegExp(`[${backticks}]`, 'gu');
const anyBacktickOrSign = new RegExp(`[${backticks}⏎]`, 'gu');

/** A combining character at the start of a text would change the look of our own quotation mark. */
const leadingMarks = /^\p{M}+/u;

/** Quotes text in the agent's own words. */
export function quoteWords(text: string, maxChars: number): string {
  const unquoted = (part: string): string =>
    inOneLine(withoutLeadingMarks(escapeForApprover(part)).replace(quotationMarks, "'"));
  return `"${cutChanged(text, maxChars, unquoted)}"`;
}

/** Quotes a command, a path or another text that counts character by character. */
export function quoteCode(text: string, maxChars: number): string {
  const unquoted = (part: string): string =>
    inOneLine(withoutLeadingMarks(escapeForApprover(part)).replace(anyBacktickOrSign, escapeCharacters));
  return `\`${cutChanged(text, maxChars, unquoted)}\``;
}

/** Quotes the summary of a call, in which every character is visible already. */
export function quoteSummary(summary: string, maxChars: number): string {
  const unquoted = (part: string): string =>
    inOneLine(withoutLeadingMarks(escapeHidden(part)).replace(anyBacktick, escapeCharacters));
  return `\`${cutChanged(summary, maxChars, unquoted)}\``;
}

/** The name of a tool as part of our own text. */
export function toolLabel(toolName: string): string {
  return /^[\w-]{1,128}$/.test(toolName) ? toolName : quoteCode(toolName, 80);
}

/** Who brought the MCP server of a tool. */
export function serverInWords({ broughtBy, address }: ServerOrigin): string {
  const who = broughtBy === 'caller' ? 'brought by the caller' : "from the user's configuration";
  return address === '' ? who : `${who}: ${quoteCode(address, 120)}`;
}

/** More paths would push the rest of a form out of sight. */
const maxLinks = 20;

/** Where links take a call. */
export function linksInWords(paths: readonly string[]): string {
  const known = paths.filter((path) => path !== moreLinks);
  const named = known.slice(0, maxLinks).map((path) => quoteCode(path, 200));
  const more = known.length - named.length;
  const words = `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  if (known.length === paths.length) return words;
  const note = 'not all files could be checked for links';
  return words === '' ? `unknown: ${note}` : `${words}. Perhaps also elsewhere: ${note}`;
}

function withoutLeadingMarks(text: string): string {
  return text.replace(leadingMarks, escapeCharacters);
}
