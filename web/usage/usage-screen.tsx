import type { UsageSum } from '../../src/page/contract.js';
import { useDesk, useDeskState } from '../live/context.js';
import { useLoaded } from '../live/use-loaded.js';
import { dollars } from '../../src/core/text/dollars.js';
import { Failed } from '../parts/failed.js';
import { UsageTable } from './usage-table.js';
import { DayChart } from './day-chart.js';
import { shortNumber } from './numbers.js';

export function UsageScreen() {
  const desk = useDesk();
  const today = useDeskState((state) => state.me?.budgetTodayUsd);
  const { value, error, reload } = useLoaded(() => desk.call('usage', {}), '');
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <p class="empty muted">Loading…</p>;
  return (
    <div class="page wide">
      <h1>Usage</h1>
      <Totals total={value.total} today={today} />
      <section class="panel">
        <h2>Cost by day</h2>
        <DayChart days={value.days} />
      </section>
      <div class="columns">
        <section class="panel">
          <h2 id="by-project">By project</h2>
          <UsageTable
            hasBars
            labelledBy="by-project"
            head="Folder"
            rows={value.projects.map(({ folder, ...sum }) => ({ name: folder, ...sum }))}
          />
        </section>
        <section class="panel">
          <h2 id="by-model">By model</h2>
          <UsageTable
            hasBars
            labelledBy="by-model"
            head="Model"
            rows={value.models.map(({ model, ...sum }) => ({ name: model, ...sum }))}
          />
        </section>
      </div>
    </div>
  );
}

interface TotalsProps {
  readonly total: UsageSum;
  readonly today: { readonly spent: number; readonly limit: number } | undefined;
}

function Totals({ total, today }: TotalsProps) {
  return (
    <dl class="tiles">
      <Tile name="Cost" value={dollars(total.costUsd)} />
      <Tile name="Turns" value={total.turns.toLocaleString('en')} />
      <Tile name="Tokens" value={shortNumber(total.tokens)} />
      {today !== undefined && (
        <Tile name="Today" value={dollars(today.spent)} detail={`of ${dollars(today.limit)}`} />
      )}
    </dl>
  );
}

function Tile({ name, value, detail }: { name: string; value: string; detail?: string }) {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd>
        {value} {detail !== undefined && <span class="muted">{detail}</span>}
      </dd>
    </div>
  );
}
