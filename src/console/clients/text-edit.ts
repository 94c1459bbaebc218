/** Replaces a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits at the same place are applied in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let done = 0;
  for (const { start, end, text: inserted } of edits.toSorted((one, other) => one.start - other.start)) {
    edited += text.slice(done, start) + inserted;
    done = end;
  }
  return edited + text.slice(done);
}

export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The spaces and tabs with which the line of this place begins. */
export function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Whether only spaces and tabs precede this place in its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset));
}
