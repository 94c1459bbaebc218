import { cutMiddle } from './escape.js';

/** The head and tail of a text, as a copy: a part of a long text would keep all of it in memory. */
export function keptPart(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : Buffer.from(cutMiddle(text, maxChars)).toString();
}
