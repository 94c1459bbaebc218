import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessIdentity, ProcessInfo, ProcessTable } from '../../core/processes.js';
import type { KnownLaunch } from './launch-record.js';
import { sweep } from './sweep.js';

/** Claude Code gets this long to write its transcript and to end its tools. */
const sigtermMs = 700;
const sigkillMs = 1_000;
const roundMs = 20;

/** Ends the processes of launches whose server is dead. Rejects if something survives. */
export async function endLaunches(launches: readonly KnownLaunch[], processes: ProcessTable): Promise<void> {
  // All of them, even if one fails.
  const endings = await Promise.allSettled(launches.map((launch) => endLaunch(launch, processes)));
  const failed = endings.find((ending) => ending.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function endLaunch({ marker, claude, uid }: KnownLaunch, processes: ProcessTable): Promise<void> {
  const listed = claude === undefined ? [] : await endClaude(claude, processes);
  await sweep(listed, { processes, marker, uid, limitMs: sigkillMs, isExpecting: claude === undefined });
}

/** Asks Claude Code to exit. Returns what must be killed then. */
async function endClaude(claude: ProcessIdentity, processes: ProcessTable): Promise<ProcessIdentity[]> {
  const { killTree, survivorsOf } = processes;
  const isAlive = async (): Promise<boolean> =>
    (await processes.startTimeOf(claude.pid)) === claude.startTime;
  // A failed listing must not keep Claude Code itself alive.
  const descendants = async (): Promise<readonly ProcessInfo[]> =>
    (await isAlive()) ? processes.descendantsOf(claude.pid).catch(() => []) : [];

  // Listed while it lives: after its exit the children belong to pid 1 and cannot be identified.
  const early = await descendants();
  // A signal would kill only Claude Code on Windows.
  if (killTree !== undefined) {
    if (await isAlive()) await killTree(claude.pid);
    // Windows has ended Claude Code together with its server, but not what it started.
    return [claude, ...early, ...((await survivorsOf?.(claude)) ?? [])];
  }
  await processes.terminateProcesses([claude]);
  const deadline = performance.now() + sigtermMs;
  while (performance.now() < deadline && (await isAlive())) await pause(roundMs);
  return [claude, ...early, ...(await descendants())];
}
