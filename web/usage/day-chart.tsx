import type { Usage } from '../../src/page/contract.js';
import { dollars } from '../../src/core/text/dollars.js';
import { useWide } from '../parts/use-wide.js';
import { axisTop } from './numbers.js';
import { UsageTable } from './usage-table.js';

type Day = Usage['days'][number];

const height = 190;
const left = 44;
/** Room for half of the last label. */
const right = 14;
const bottom = 24;
const top = 10;

/** Cost by day as bars, and the same numbers as a table for those who cannot see them. */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const isWide = useWide();
  const shown = days.slice(isWide ? -60 : -21);
  if (shown.length === 0) return <p class="muted">Nothing yet.</p>;
  const width = isWide ? 960 : 340;
  const max = axisTop(Math.max(...shown.map(({ costUsd }) => costUsd)));
  const step = Math.min(64, (width - left - right) / shown.length);
  const room = height - bottom - top;
  const y = (usd: number): number => top + room * (1 - usd / max);
  const labelEvery = Math.ceil(shown.length / (isWide ? 14 : 5));
  return (
    <>
      <svg
        class="day-chart"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Cost by day. The table below has the numbers."
      >
        {[0, max / 2, max].map((usd) => (
          <g key={usd}>
            <line class="grid" x1={left} x2={width} y1={y(usd)} y2={y(usd)} />
            <text x={left - 8} y={y(usd) + 4} text-anchor="end">
              {max >= 10 ? `$${Math.round(usd)}` : dollars(usd)}
            </text>
          </g>
        ))}
        {shown.map((day, index) => (
          <g key={day.date}>
            <rect
              class="day"
              x={left + index * step + step * 0.15}
              width={step * 0.7}
              y={y(day.costUsd)}
              height={room + top - y(day.costUsd)}
              rx={Math.min(3, step * 0.2)}
            >
              <title>{`${day.date}: ${dollars(day.costUsd)}`}</title>
            </rect>
            {(shown.length - 1 - index) % labelEvery === 0 && (
              <text x={left + (index + 0.5) * step} y={height - 6} text-anchor="middle">
                {dayLabel(day.date)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>Show as a table</summary>
        <UsageTable
          head="Day"
          rows={shown.toReversed().map(({ date, ...sum }) => ({ name: date, ...sum }))}
        />
      </details>
    </>
  );
}

/** `2026-11-16` as `16 Nov`. */
function dayLabel(date: string): string {
  return new Date(`${date}T12:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}
