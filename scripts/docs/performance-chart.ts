import { amount, type Line } from '../../test/bench/report.js';
import { readResults, type Results } from '../../test/bench/results.js';

const width = 760;
const margin = 24;
const top = 64;
const step = 44;
const barHeight = 8;
const barWidth = width - 2 * margin;

/** docs/images/performance.svg: the main limit of each row of the bench, and how much of it is used. */
export function performanceChart(): string {
  return drawChart(readResults());
}

export function drawChart(results: Results | undefined): string {
  const lines = (results?.rows ?? []).flatMap((row) => row.lines.slice(0, 1)).filter(isMeasured);
  const height = top + lines.length * step + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(`Measured values compared with their budgets: ${lines.map(inWords).join('; ')}`)}</title>
<style>
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
  .head { font-size: 16px; font-weight: 600; }
  .note, .budget { fill: #59636e; }
  .value { font-weight: 600; }
  .track { fill: #e8ebef; }
  .within { fill: #1a7f64; }
  .over { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note, .budget { fill: #9198a1; }
    .track { fill: #2a313c; }
    .within { fill: #3fb68b; }
    .over { fill: #f85149; }
  }
</style>
<text class="head" x="${margin}" y="26">Measured, compared with the budget</text>
<text class="note" x="${margin}" y="46">A full bar is the budget. Shorter is better.</text>
${lines.map((line, index) => drawLine(line, top + index * step)).join('\n')}
</svg>
`;
}

type Measured = Line & { readonly measured: number };

function isMeasured(line: Line): line is Measured {
  return line.measured !== undefined;
}

function drawLine(line: Measured, y: number): string {
  const { what, measured, max, unit, ok } = line;
  const share = Math.min(1, measured / max);
  const bar = (className: string, length: number): string =>
    `<rect class="${className}" x="${margin}" y="${y + 20}" width="${length.toFixed(1)}" height="${barHeight}" rx="${barHeight / 2}"/>`;
  return [
    `<text x="${margin}" y="${y + 12}">${escaped(what)}</text>`,
    `<text x="${width - margin}" y="${y + 12}" text-anchor="end"><tspan class="value">${amount(measured, unit)}</tspan><tspan class="budget"> of ${amount(max, unit)}</tspan></text>`,
    bar('track', barWidth),
    bar(ok ? 'within' : 'over', Math.max(barHeight, share * barWidth)),
  ].join('\n');
}

function inWords({ what, measured, max, unit }: Measured): string {
  return `${what}: ${amount(measured, unit)} of ${amount(max, unit)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
