import type { UsageSum } from '../../src/page/contract.js';
import { dollars } from '../../src/core/text/dollars.js';
import { VisibleText } from '../texts/visible-text.js';
import { shortNumber } from './numbers.js';

interface UsageTableProps {
  /** The id of its heading, if it has one. */
  readonly labelledBy?: string;
  readonly head: string;
  readonly rows: readonly (UsageSum & { readonly name: string })[];
  /** Draws the cost of each row as a bar: chart and numbers in one. */
  readonly hasBars?: boolean;
}

export function UsageTable({ labelledBy, head, rows, hasBars = false }: UsageTableProps) {
  const largest = Math.max(...rows.map(({ costUsd }) => costUsd), 0.01);
  if (rows.length === 0) return <p class="muted">Nothing yet.</p>;
  return (
    <table class="bar-table" {...(labelledBy !== undefined && { 'aria-labelledby': labelledBy })}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" class="number">
            Turns
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">
              <VisibleText text={row.name} />
              {hasBars && <Bar part={row.costUsd / largest} />}
            </th>
            <td class="number">{row.turns.toLocaleString('en')}</td>
            <td class="number">{shortNumber(row.tokens)}</td>
            <td class="number">{dollars(row.costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ part }: { readonly part: number }) {
  return (
    <svg class="bar" width="100%" height="6" aria-hidden="true">
      <rect class="track" width="100%" height="6" rx="3" />
      <rect class="fill" width={`${100 * part}%`} height="6" rx="3" />
    </svg>
  );
}
