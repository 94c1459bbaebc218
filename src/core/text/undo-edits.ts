/** One text of a file that was replaced by another. */
export interface TextEdit {
  readonly before: string;
  readonly after: string;
}

/** The text before these edits, which are given in order. Undefined if it is not clear where one of them was made. */
export function undoEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  let undone = text;
  for (const { before, after } of edits.toReversed()) {
    const parts = after === '' ? [] : undone.split(after);
    if (parts.length !== 2) return undefined;
    undone = parts.join(before);
  }
  return undone;
}
