import { wrapLines } from '../console/terminal/wrap.js';

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** Longer lines are hard to read. */
const widest = 100;
/** Some terminals do not report their width. */
const usual = 80;

/** How wide a text may be. Undefined without a terminal. */
export function columnsOf({ isTTY, columns }: Stream): number | undefined {
  return isTTY ? Math.min(columns || usual, widest) : undefined;
}

/** The same for a line that replaces itself, which needs a terminal that can do so. */
export function movingColumnsOf(
  stream: Stream,
  { TERM: kind }: Readonly<Record<string, string | undefined>>,
): (() => number) | undefined {
  return stream.isTTY && kind !== 'dumb' ? () => stream.columns || usual : undefined;
}

/** The text in lines that fit. */
export function fitted(text: string, stream: Stream): string {
  return wrapLines(text, columnsOf(stream)).join('\n');
}
