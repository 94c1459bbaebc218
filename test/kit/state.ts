import { composeState, type StateSettings } from '../../src/app/compose-state.js';
import type { PruneLimits } from '../../src/state/pruner.js';
import { Servers } from '../../src/state/server-mark.js';
import { freeLocks } from './locks.js';

export interface StateOptions
  extends
    Pick<StateSettings, 'stateDir' | 'clock' | 'locks'>,
    Partial<Pick<StateSettings, 'logger' | 'maxUsdPerDay'> & PruneLimits> {
  /** The process id of this server. */
  readonly pid?: number;
  /** Process ids of servers that are alive. */
  readonly alive?: ReadonlySet<number> | undefined;
}

/** The state folder as one server sees it. Its fake processes have start times by their ids. */
export function openState(options: StateOptions): ReturnType<typeof composeState> {
  const { stateDir, clock, logger = { log: () => undefined }, maxUsdPerDay, pid = 10 } = options;
  const { locks = freeLocks, keepMs = 0, maxBytes = 0 } = options;
  const alive = options.alive ?? new Set([pid]);
  const startTimeOf = async (one: number): Promise<string | undefined> =>
    alive.has(one) ? `start of ${one}` : undefined;
  return composeState({
    stateDir,
    keyFolder: stateDir,
    prune: { keepMs, maxBytes },
    maxUsdPerDay,
    clock,
    logger,
    servers: new Servers({ pid, startTimeOf }),
    locks,
  });
}
