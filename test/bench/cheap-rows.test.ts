import { expect, it } from 'vitest';
import { cheapRows } from './cheap-rows.js';
import { toLines } from './report.js';

it.each(cheapRows.map((row) => [row.name, row] as const))('%s is within its budget', async (_name, row) => {
  const measurement = await row.measure();

  const lines = toLines(row, measurement);

  expect(Object.keys(measurement.values)).toEqual(Object.keys(row.budget));
  expect(lines.filter(({ ok }) => !ok)).toEqual([]);
});
