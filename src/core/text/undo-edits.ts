import type { Effort } from './effort.js';

/** One text of a file that was replaced by another. */
export interface TextEdit {
  readonly before: string;
  readonly after: string;
}

/**
 * The text before these edits, which are given in order. Undefined if it is not clear where one of them was made, or if it
 * is too much work to find out: each looks through the whole text.
 */
export function undoEdits(text: string, edits: readonly TextEdit[], effort: Effort): string | undefined {
  let undone = text;
  for (const { before, after } of edits.toReversed()) {
    effort.spend(undone.length);
    if (effort.isSpent) return undefined;
    const parts = after === '' ? [] : undone.split(after);
    if (parts.length !== 2) return undefined;
    undone = parts.join(before);
  }
  return undone;
}
