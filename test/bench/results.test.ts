import { expect, it } from 'vitest';
import { drawChart } from '../../scripts/docs/performance-chart.js';
import { describePerformance } from '../../scripts/docs/performance-page.js';
import type { Finished } from './report.js';
import { merged, type Results } from './results.js';

const machine = {
  day: '2026-01-02',
  node: 'v20.1.0',
  platform: 'linux x64',
  cores: 2,
  memoryGb: 8,
  loadAverage: 0,
};

function row(name: string, measured: number | undefined, max = 10): Finished {
  const ok = measured !== undefined && measured <= max;
  const line = {
    row: name,
    key: 'size',
    what: `size of <${name}>`,
    measured,
    max,
    unit: 'bytes',
    ok,
  } as const;
  return { name, lines: [line], note: '', seconds: 1 };
}

function resultsOf(...rows: readonly Finished[]): Results {
  return { machine, ok: true, rows };
}

it('keeps earlier rows, replaces those that were measured again, and drops those that no longer exist', () => {
  const known = resultsOf(row('gone', 1), row('first', 2), row('second', 3));

  const { ok, rows } = merged(known, resultsOf(row('second', 11), row('third', 4)), [
    'first',
    'second',
    'third',
  ]);

  expect(rows).toEqual([row('first', 2), row('second', 11), row('third', 4)]);
  expect(ok).toBe(false);
});

it('draws a bar for each measured row, in another color if it is over budget', () => {
  const chart = drawChart(resultsOf(row('good', 5), row('bad', 20), row('missing', undefined)));

  const bars = chart.match(/<rect class="(?:within|over)"[^>]*width="[\d.]+"/g);
  expect(bars).toEqual([
    expect.stringMatching(/within.*width="356\.0"/),
    expect.stringMatching(/over.*width="712\.0"/),
  ]);
  expect(chart).toContain('size of &lt;good&gt;');
  expect(chart).not.toContain('missing');
});

it('describes each limit, whether it was measured, and where', () => {
  const page = describePerformance(resultsOf(row('good', 5), row('bad', 20), row('missing', undefined)));

  expect(page).toContain('| `good` | size of <good> | 5 bytes | 10 bytes |');
  expect(page).toContain('| `bad` | size of <bad> | **20 bytes** | 10 bytes |');
  expect(page).toContain('| `missing` | size of <missing> | not measured | 10 bytes |');
  expect(page).toContain('Node 20.1.0 on linux x64, 2 cores');
});
