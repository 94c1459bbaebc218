import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessIdentity, ProcessTable } from '../../core/processes.js';

const roundMs = 10;

export interface Sweep {
  readonly processes: Pick<ProcessTable, 'findByEnvironment' | 'killProcesses'>;
  readonly marker: string;
  /** The user that runs the processes. Undefined: the user of this server. */
  readonly uid?: number | undefined;
  readonly limitMs: number;
  /** Looks until the limit, even if nothing is found: a process may be about to start. */
  readonly isExpecting?: boolean;
}

/**
 * Kills until nothing is left, because a shell may start its next command just before it dies. Rejects if something
 * survives.
 */
export async function sweep(listed: readonly ProcessIdentity[], settings: Sweep): Promise<void> {
  const { processes, marker, uid, limitMs, isExpecting = false } = settings;
  // First, because the search may fail.
  if (listed.length > 0) await processes.killProcesses(listed);
  let left = await processes.findByEnvironment(marker, uid);
  // Counts from the first kill: on a busy system the search alone may take longer than the limit.
  const deadline = performance.now() + limitMs;
  for (;;) {
    const isLate = performance.now() > deadline;
    if (left.length === 0 && (isLate || !isExpecting)) return;
    if (left.length > 0 && isLate)
      throw new Error(`these processes could not be ended: ${left.map(({ pid }) => pid).join(', ')}`);
    if (left.length > 0) await processes.killProcesses(left);
    await pause(roundMs);
    left = await processes.findByEnvironment(marker, uid);
  }
}
