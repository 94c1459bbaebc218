import { signalAmong } from './kill.js';
import type { ProcessIdentity, ProcessInfo, ProcessTable } from '../core/processes.js';
import { batched } from '../core/shared-work.js';
import type { SystemProcesses } from './system-processes.js';
import { linuxProcesses, processSpace as linuxSpace } from './processes-linux.js';
import { posixProcesses } from './processes-posix.js';
import { survivorsAmong, windowsProcesses } from './processes-windows.js';
import { treeKillerOf } from './kill-tree.js';
import { runTool } from './run-tool.js';

const table = tableOf(process.platform);

export const killTree = treeKillerOf(process.platform, runTool);

export const survivorsOf: ProcessTable['survivorsOf'] =
  process.platform === 'win32' ? async (gone) => survivorsAmong(await listProcesses(), gone) : undefined;

// Sessions that end at the same time share their scans.
const scan = batched<undefined, Scan>(async () => {
  const all = await table.list();
  return { all, children: byParent(all) };
});
const scanMarked = batched((markers: ReadonlySet<string>) => table.findByEnvironment(markers));

interface Scan {
  readonly all: readonly ProcessInfo[];
  /** By the pid of their parent. */
  readonly children: ReadonlyMap<number, readonly ProcessInfo[]>;
}

export async function listProcesses(): Promise<readonly ProcessInfo[]> {
  return (await scan(undefined)).all;
}

/** Two servers can judge each other's processes only if this is the same for both. */
export function processSpace(): Promise<string> {
  return process.platform === 'linux' ? linuxSpace() : Promise.resolve(process.platform);
}

/** Undefined when no such process is alive. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const [found] = await table.lookup([pid]);
  return found?.startTime;
}

export async function isSameProcess({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

/** Descendants at all levels, parents before their children, without the process itself. */
export async function descendantsOf(pid: number): Promise<readonly ProcessInfo[]> {
  const { children } = await scan(undefined);
  const found = new Map<number, ProcessInfo>();
  const open = [pid];
  for (const parent of open) {
    for (const child of children.get(parent) ?? []) {
      if (child.pid === pid || found.has(child.pid)) continue;
      found.set(child.pid, child);
      open.push(child.pid);
    }
  }
  return [...found.values()];
}

/**
 * Processes of a user with `KEY=VALUE` in their environment. Never those of others: a marker must not lead root to kill
 * the processes of another user. Incomplete on macOS, which hides the environment of its own
 * programs, and empty on Windows.
 */
export async function findByEnvironment(
  marker: string,
  wanted = process.getuid?.(),
): Promise<readonly ProcessInfo[]> {
  const found = await scanMarked(marker);
  return found
    .filter((info) => info.marker === marker && (info.uid ?? process.getuid?.()) === wanted)
    .map(({ marker: _marker, uid: _uid, ...info }) => info);
}

export function terminateProcesses(processes: readonly ProcessIdentity[]): Promise<void> {
  return signalAmong(table, processes, 'SIGTERM');
}

/** Kills exactly these processes, and the groups that they lead. Never this process. */
export function killProcesses(processes: readonly ProcessIdentity[]): Promise<void> {
  return signalAmong(table, processes, 'SIGKILL');
}

function byParent(processes: readonly ProcessInfo[]): ReadonlyMap<number, readonly ProcessInfo[]> {
  const children = new Map<number, ProcessInfo[]>();
  for (const info of processes) {
    const siblings = children.get(info.ppid);
    if (siblings) siblings.push(info);
    else children.set(info.ppid, [info]);
  }
  return children;
}

function tableOf(platform: NodeJS.Platform): SystemProcesses {
  if (platform === 'linux') return linuxProcesses;
  return platform === 'win32' ? windowsProcesses : posixProcesses;
}
