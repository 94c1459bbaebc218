import type { Paint } from './paint.js';
import { fit, pad, widthOf } from './width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** It is shortened if the table is wider than the terminal. */
  readonly isFlexible?: true;
  /** Colors a cell by its text. */
  readonly color?: (cell: string) => Parameters<Paint>[0] | undefined;
}

export interface TableLayout {
  readonly paint: Paint;
  /** Undefined: as wide as the cells are. */
  readonly columns: number | undefined;
}

const gap = '  ';
const leastFlexible = 12;

/** A table with titles. Cells are single lines without control characters. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { paint, columns: room }: TableLayout,
): string {
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const widths = room === undefined ? natural : shrunk(columns, natural, room);
  const line = (cells: readonly string[], color: (index: number) => Column['color']): string => {
    const texts = columns.map(({ align }, index) => {
      const width = widths[index] ?? 0;
      const cell = fit(cells[index] ?? '', width);
      const isLast = index === columns.length - 1;
      const before = align === 'right' ? ' '.repeat(Math.max(0, width - widthOf(cell))) : '';
      const after = align === 'right' || isLast ? '' : pad('', width - widthOf(cell));
      const shade = color(index)?.(cells[index] ?? '');
      return `${before}${shade === undefined ? cell : paint(shade, cell)}${after}`;
    });
    return `${texts.join(gap).trimEnd()}\n`;
  };
  const head = line(
    columns.map(({ title }) => title),
    () => () => 'dim',
  );
  return `${head}${rows.map((row) => line(row, (index) => columns[index]?.color)).join('')}`;
}

/** Takes the missing room from the flexible columns, the widest first. */
function shrunk(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  for (let excess = total() - room; excess > 0; excess -= 1) {
    const flexible = widths
      .map((width, index) => ({ width, index }))
      .filter(({ width, index }) => columns[index]?.isFlexible === true && width > leastFlexible)
      .toSorted((one, other) => other.width - one.width);
    const [widest] = flexible;
    if (widest === undefined) break;
    widths[widest.index] = widest.width - 1;
  }
  return widths;
}
