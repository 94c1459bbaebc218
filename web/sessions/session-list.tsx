import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SessionRow } from '../../src/page/contract.js';
import { useDesk, useDeskState } from '../live/context.js';
import { toHash } from '../live/routes.js';
import { useLoaded } from '../live/use-loaded.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';
import { Cost, statusName, StatusTag, type Status } from '../parts/status.js';
import { ago, useNow } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';

const pageSize = 50;
const filters: readonly (Status | undefined)[] = [
  undefined,
  'waiting',
  'running',
  'idle',
  'error',
  'cancelled',
  'disk',
];

export function SessionList({ selectedId }: { readonly selectedId: string | undefined }) {
  const desk = useDesk();
  const live = useDeskState((state) => state.rows);
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<Status>();
  const [limit, setLimit] = useState(pageSize);
  const query = useSettled(search.trim());
  const liveIds = useMemo(() => [...live.keys()].join(), [live]);
  const { value, error, reload } = useLoaded(
    () =>
      desk.call('sessions', {
        offset: 0,
        limit,
        ...(query !== '' && { search: query }),
        ...(status !== undefined && { status }),
      }),
    JSON.stringify([query, status, limit, liveIds]),
  );
  const rows = value?.rows.map((row) => live.get(row.sessionId) ?? row);

  return (
    <section class="list" aria-label="Sessions">
      <header class="list-head tall">
        <div class="line">
          <h1>Sessions</h1>
          <a class="button primary small" href="#new">
            <Icon name="plus" size={16} /> New
          </a>
        </div>
        <label class="search">
          <Icon name="search" size={16} />
          <span class="sr-only">Search sessions</span>
          <input
            type="search"
            placeholder="Search by title or folder"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <div class="chips" role="group" aria-label="Filter by status">
          {filters.map((filter) => (
            <button
              key={filter ?? 'all'}
              type="button"
              class="chip"
              aria-pressed={status === filter}
              onClick={() => setStatus(filter)}
            >
              {filter === undefined ? 'All' : filter === 'waiting' ? 'Waiting' : statusName(filter)}
            </button>
          ))}
        </div>
      </header>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {rows?.length === 0 && <NoSessions isFiltered={query !== '' || status !== undefined} />}
      <ol class="items">
        {rows?.map((row) => (
          <li key={row.sessionId}>
            <RowItem row={row} isSelected={row.sessionId === selectedId} />
          </li>
        ))}
      </ol>
      {value !== undefined && value.more > 0 && (
        <Button look="quiet" onPress={() => setLimit(limit + pageSize)}>
          Show {Math.min(value.more, pageSize)} more of {value.more}
        </Button>
      )}
    </section>
  );
}

function RowItem({ row, isSelected }: { readonly row: SessionRow; readonly isSelected: boolean }) {
  const now = useNow(30_000);
  return (
    <a
      class="item session-item"
      href={toHash({ screen: 'session', sessionId: row.sessionId })}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span class="item-text">
        <span class="item-top">
          <StatusTag status={row.status} />
          <span>{ago(row.lastUsedAt, now)}</span>
        </span>
        <span class="item-title">
          <VisibleText text={row.title} />
        </span>
        {row.activity !== undefined && (
          <span class="item-meta activity">
            <VisibleText text={row.activity} />
          </span>
        )}
        <span class="item-bottom">
          <span class="item-meta mono">
            <VisibleText text={row.folder} />
          </span>
          {row.status !== 'disk' && <Cost costUsd={row.costUsd} {...budgetOf(row)} />}
          {row.openRequests > 0 && (
            <span class="badge">
              {row.openRequests}
              <span class="sr-only"> open {row.openRequests === 1 ? 'request' : 'requests'}</span>
            </span>
          )}
        </span>
      </span>
    </a>
  );
}

export function budgetOf(row: SessionRow): { readonly budgetUsd?: number } {
  return row.budgetUsd === undefined ? {} : { budgetUsd: row.budgetUsd };
}

function NoSessions({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div class="empty">
      <p>
        <strong>{isFiltered ? 'No session matches' : 'No sessions yet'}</strong>
        {isFiltered ? 'Try another word or status.' : 'Start one here or from your MCP client.'}
      </p>
    </div>
  );
}

const settleMs = 200;

/** The text once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
