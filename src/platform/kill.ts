import type { ProcessInfo } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';

/** SIGKILL to each process that is still the one that was listed. */
export async function killAmong(table: SystemProcesses, processes: readonly ProcessInfo[]): Promise<void> {
  const wanted = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  const alive = await table.lookup([...wanted.keys(), process.pid]);
  const ownGroup = alive.find(({ pid }) => pid === process.pid)?.pgid;

  // From here to the last signal nothing is awaited: each pause would let a pid change hands.
  const targets = alive.filter(({ pid, startTime }) => isEndable(pid) && wanted.get(pid) === startTime);
  const groupsKilled = new Set<number>();
  for (const { pid, pgid } of targets) {
    // Without its leader at hand, a group number proves nothing about who is in it.
    if (pid === pgid && ownGroup !== undefined && pgid !== ownGroup && kill(-pgid)) groupsKilled.add(pgid);
  }
  for (const { pid, pgid } of targets) if (!groupsKilled.has(pgid)) kill(pid);
}

export function isEndable(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid;
}

/** False when there was nothing that we could end. */
function kill(target: number): boolean {
  try {
    return process.kill(target, 'SIGKILL');
  } catch (error) {
    // EPERM: a process that changed its user; on macOS also a group in which a zombie is left.
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) {
      return false;
    }
    throw error;
  }
}
