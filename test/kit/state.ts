import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.js';
import type { Logger } from '../../src/core/observability/logger.js';
import { BudgetStore } from '../../src/state/money/budget-store.js';
import { DayIndex } from '../../src/state/day-index.js';
import { EventStore } from '../../src/state/event-store.js';
import { FirstFormat } from '../../src/state/first-format.js';
import { GrantSeal } from '../../src/state/grant-seal.js';
import { Pruner, type PruneLimits } from '../../src/state/pruner.js';
import { RecordStore } from '../../src/state/record-store.js';
import { Servers } from '../../src/state/server-mark.js';
import type { SessionLocks } from '../../src/state/session-locks.js';
import { UsageLedger } from '../../src/state/money/usage-ledger.js';
import { freeLocks } from './locks.js';

export interface StateOptions extends Partial<PruneLimits> {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly maxUsdPerDay?: number | undefined;
  readonly locks?: SessionLocks | undefined;
  /** The process id of this server. */
  readonly pid?: number;
  /** Process ids of servers that are alive. */
  readonly alive?: ReadonlySet<number> | undefined;
}

/** The state folder as one server sees it. Its fake processes have start times by their ids. */
export async function openState(options: StateOptions) {
  const { stateDir, clock, logger = { log: () => undefined }, maxUsdPerDay, pid = 10 } = options;
  const { locks = freeLocks, keepMs = 0, maxBytes = 0 } = options;
  const alive = options.alive ?? new Set([pid]);
  const startTimeOf = async (one: number): Promise<string | undefined> =>
    alive.has(one) ? `start of ${one}` : undefined;
  const servers = new Servers({ pid, startTimeOf });
  const days = new DayIndex(join(stateDir, 'usage'));
  const firstFormat = new FirstFormat(stateDir);
  const records = new RecordStore({ stateDir, clock, firstFormat, days });
  return {
    servers,
    server: await servers.own(),
    records,
    events: new EventStore({ stateDir, clock, logger }),
    seal: new GrantSeal({ keyPath: join(stateDir, 'grants.key'), logger }),
    pruner: new Pruner({ stateDir, clock, logger, servers, locks, firstFormat, keepMs, maxBytes }),
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
