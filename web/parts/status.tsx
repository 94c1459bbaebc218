import type { SessionRow } from '../../src/page/contract.js';
import { dollars } from '../../src/core/text/dollars.js';

export type Status = SessionRow['status'];

const names: Readonly<Record<Status, string>> = {
  running: 'Running',
  waiting: 'Waiting for you',
  idle: 'Idle',
  error: 'Failed',
  cancelled: 'Cancelled',
  disk: 'On disk',
};

export function statusName(status: Status): string {
  return names[status];
}

export function StatusTag({ status }: { readonly status: Status }) {
  return (
    <span class={`status ${status}`}>
      <span class="dot" aria-hidden="true" />
      {names[status]}
    </span>
  );
}

/** The cost, with a bar if there is a budget. */
export function Cost({ costUsd, budgetUsd }: Pick<SessionRow, 'costUsd' | 'budgetUsd'>) {
  if (budgetUsd === undefined) return <span class="cost">{dollars(costUsd)}</span>;
  const part = Math.min(1, costUsd / Math.max(budgetUsd, 0.01));
  return (
    <span class={`cost${part > 0.85 ? ' high' : ''}`}>
      {dollars(costUsd)} <span class="muted">of {dollars(budgetUsd)}</span>
      <svg width="44" height="6" aria-hidden="true">
        <rect class="track" width="44" height="6" rx="3" />
        <rect class="fill" width={Math.max(part * 44, part > 0 ? 4 : 0)} height="6" rx="3" />
      </svg>
    </span>
  );
}
