/** Formats the results as a table and as JSON. */
import type { Limit, Measurement, Row } from './row.js';
import { ms } from './timing.js';

export interface Line {
  readonly row: string;
  readonly key: string;
  readonly what: string;
  readonly measured: number | undefined;
  readonly max: number;
  readonly unit: Limit['unit'];
  readonly ok: boolean;
}

export interface Finished {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly note: string;
  readonly seconds: number;
}

/** One line per limit of the row. A missing value counts as over budget. */
export function toLines({ name, budget }: Row, measurement: Measurement | undefined): readonly Line[] {
  return Object.entries(budget).map(([key, { what, max, unit }]) => {
    const measured = measurement?.values[key];
    return { row: name, key, what, measured, max, unit, ok: measured !== undefined && measured <= max };
  });
}

export function toTable(finished: readonly Finished[]): string {
  const body = finished
    .flatMap(({ lines }) => lines)
    .map((line) => [
      line.what,
      line.measured === undefined ? '-' : amount(line.measured, line.unit),
      `<= ${amount(line.max, line.unit)}`,
      line.ok ? 'yes' : 'NO',
    ]);
  const rows = [['what', 'measured', 'budget', 'ok'], ...body];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const [head, ...rest] = rows.map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  const notes = finished.map(({ name, seconds, note }) => `${name} (${seconds.toFixed(1)} s): ${note}`);
  return [head, rule, ...rest, '', ...notes].map((line) => line?.trimEnd()).join('\n');
}

export function amount(value: number, unit: Limit['unit']): string {
  switch (unit) {
    case 'x':
      return `${value.toFixed(2)} x`;
    case 's':
      return `${value.toFixed(2)} s`;
    case 'ms':
      return ms(value);
    case 'MB':
      return `${value.toFixed(1)} MB`;
    case 'bytes':
    case 'calls':
    case 'processes':
      return `${value} ${unit}`;
  }
}
