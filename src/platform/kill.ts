import type { ProcessIdentity } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';

/** Sends a signal to each process that still has its listed start time, and to the groups that they lead. */
export async function signalAmong(
  table: SystemProcesses,
  processes: readonly ProcessIdentity[],
  signal: NodeJS.Signals,
): Promise<void> {
  const wanted = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  const alive = await table.lookup([...wanted.keys(), process.pid]);
  const ownGroup = alive.find(({ pid }) => pid === process.pid)?.pgid;

  // Awaits nothing between here and the last signal, because a pid could be reused in between.
  const targets = alive.filter(({ pid, startTime }) => isEndable(pid) && wanted.get(pid) === startTime);
  const groupsReached = new Set<number>();
  for (const { pid, pgid } of targets) {
    // Only a live leader proves that the group is still the same.
    const isLeader = pid === pgid && ownGroup !== undefined && pgid !== ownGroup;
    if (isLeader && send(-pgid, signal)) groupsReached.add(pgid);
  }
  for (const { pid, pgid } of targets) if (!groupsReached.has(pgid)) send(pid, signal);
}

export function isEndable(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid;
}

/** False when no such process exists or we may not signal it. */
function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    // EPERM: the process changed its user; on macOS also a group that still contains a zombie.
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) {
      return false;
    }
    throw error;
  }
}
