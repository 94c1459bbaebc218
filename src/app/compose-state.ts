import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/observability/logger.js';
import * as processes from '../platform/processes.js';
import type { ManagerServices } from '../sessions/session-manager.js';
import { BudgetStore } from '../state/budget-store.js';
import { DayIndex } from '../state/day-index.js';
import { EventStore } from '../state/event-store.js';
import { FirstFormat } from '../state/first-format.js';
import { RecordStore } from '../state/record-store.js';
import { Servers } from '../state/server-mark.js';
import { UsageLedger } from '../state/usage-ledger.js';

export interface StateSettings {
  readonly stateDir: string;
  readonly maxUsdPerDay: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers?: Servers | undefined;
}

type State = Pick<ManagerServices, 'records' | 'events' | 'ledger' | 'budgets' | 'servers' | 'server'>;

/** The parts that keep what must outlive this server. */
export async function composeState(settings: StateSettings): Promise<State> {
  const { stateDir, maxUsdPerDay, clock, logger } = settings;
  const { servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf }) } = settings;
  const days = new DayIndex(join(stateDir, 'usage'));
  const firstFormat = new FirstFormat(stateDir);
  const records = new RecordStore({ stateDir, clock, firstFormat, days });
  return {
    servers,
    server: await servers.own(),
    records,
    events: new EventStore({ stateDir, clock, logger }),
    ledger: new UsageLedger({
      stateDir,
      maxUsdPerDay,
      clock,
      servers,
      days,
      firstFormat,
      flush: () => records.flush(),
    }),
    budgets: new BudgetStore({ records, servers, firstFormat }),
  };
}
