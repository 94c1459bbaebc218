import { mapTexts } from './map-texts.js';

/** Resolves when the next piece of work may begin. */
export type Turn = () => Promise<void>;

type Change = (text: string) => string;

/** Making one part visible takes some milliseconds, and less than a hundred in the worst case. */
const partChars = 20_000;

/**
 * The same as `change`, which escapes characters. For millions of them that takes seconds, so other work has its turn
 * between the parts.
 */
export async function changedInParts(text: string, change: Change, turn: Turn): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start + partChars);
    if (start > 0) await turn();
    parts.push(change(text.slice(start, end)));
    start = end;
  }
  return parts.join('');
}

/** The same for every text in a value. */
export async function allChangedInParts(value: unknown, change: Change, turn: Turn): Promise<unknown> {
  const done = new Map<string, string>();
  for (const text of longTextsIn(value)) done.set(text, await changedInParts(text, change, turn));
  return mapTexts(value, (text) => done.get(text) ?? change(text));
}

function longTextsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  mapTexts(value, (text) => {
    if (text.length > partChars) found.push(text);
    return text;
  });
  return found;
}

/**
 * How a mark is shown depends on the marks before it, and an escape can only be recognised as a whole. So a part begins
 * with a whole character that is no mark and not within an escape.
 */
function endOfPart(text: string, from: number): number {
  if (from >= text.length) return text.length;
  const beginning = /(?<!\\(?:u(?:\{[\da-f]{0,6})?)?)\P{M}/gu;
  beginning.lastIndex = from;
  return beginning.exec(text)?.index ?? text.length;
}
