import { cutMiddle } from '../../core/text/escape.js';
import { ApproverText } from '../../core/view.js';

const maxShown = 5;
/** A summary and the reason fit as a whole: each of them has been truncated before. */
const maxChars = 500;

/** The denied requests of an answer. By these, the caller decides what to allow next time. */
export function deniedField(denied: readonly string[]): ApproverText<readonly string[]> | undefined {
  if (denied.length === 0) return undefined;
  const shown = denied.slice(0, maxShown).map((line) => cutMiddle(line, maxChars));
  const more = denied.length - shown.length;
  return new ApproverText(more === 0 ? shown : [...shown, inWords(more)]);
}

function inWords(more: number): string {
  return `${more} more ${more === 1 ? 'request was' : 'requests were'} denied`;
}
