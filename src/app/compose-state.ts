import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/observability/logger.js';
import * as processes from '../platform/processes.js';
import type { ManagerServices } from '../sessions/session-manager.js';
import { BudgetStore } from '../state/money/budget-store.js';
import { DayIndex } from '../state/day-index.js';
import { EventStore } from '../state/event-store.js';
import { FirstFormat } from '../state/first-format.js';
import { GrantSeal } from '../state/grant-seal.js';
import { Pruner, type PruneLimits } from '../state/pruner.js';
import { LockRequests } from '../state/lock-requests.js';
import { RecordStore } from '../state/record-store.js';
import { Servers } from '../state/server-mark.js';
import { FolderLocks, type SessionLocks } from '../state/session-locks.js';
import { UsageLedger } from '../state/money/usage-ledger.js';

export interface StateSettings {
  readonly stateDir: string;
  readonly keyFolder: string;
  readonly prune: PruneLimits;
  readonly maxUsdPerDay: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Replace the servers of this machine and their locks. Tests use them. */
  readonly servers?: Servers | undefined;
  readonly locks?: SessionLocks | undefined;
}

type State = Pick<
  ManagerServices,
  'records' | 'pruner' | 'events' | 'seal' | 'ledger' | 'budgets' | 'servers' | 'server'
> & { readonly locks: SessionLocks };

/** The parts that keep what must outlive this server. */
export async function composeState(settings: StateSettings): Promise<State> {
  const { stateDir, maxUsdPerDay, clock, logger } = settings;
  const { servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf }) } = settings;
  const days = new DayIndex(join(stateDir, 'usage'));
  const firstFormat = new FirstFormat(stateDir);
  const { locks = folderLocks(settings, servers) } = settings;
  const records = new RecordStore({ stateDir, clock, firstFormat, days });
  return {
    servers,
    locks,
    server: await servers.own(),
    records,
    events: new EventStore({ stateDir, clock, logger }),
    seal: new GrantSeal({ keyPath: join(settings.keyFolder, 'grants.key'), logger }),
    pruner: new Pruner({ ...settings.prune, stateDir, clock, logger, servers, locks, firstFormat }),
    ledger: new UsageLedger({
      stateDir,
      maxUsdPerDay,
      clock,
      servers,
      days,
      firstFormat,
      own: records,
    }),
    budgets: new BudgetStore({ records, servers, firstFormat }),
  };
}

function folderLocks({ stateDir, clock }: StateSettings, servers: Servers): SessionLocks {
  const folder = join(stateDir, 'locks');
  return new FolderLocks({ folder, servers, requests: new LockRequests({ folder, clock }) });
}
