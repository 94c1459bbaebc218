import { killAmong } from './kill.js';
import type { ProcessInfo } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';
import { linuxProcesses } from './processes-linux.js';
import { posixProcesses } from './processes-posix.js';
import { windowsProcesses } from './processes-windows.js';
import { treeKillerOf } from './kill-tree.js';
import { runTool } from './run-tool.js';

const table = tableOf(process.platform);

export const killTree = treeKillerOf(process.platform, runTool);

export function listProcesses(): Promise<readonly ProcessInfo[]> {
  return table.list();
}

/** Undefined when no such process is alive. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const [found] = await table.lookup([pid]);
  return found?.startTime;
}

export async function isSameProcess({
  pid,
  startTime,
}: Pick<ProcessInfo, 'pid' | 'startTime'>): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

/** Descendants at all levels, parents before their children, without the process itself. */
export async function descendantsOf(pid: number): Promise<readonly ProcessInfo[]> {
  const children = byParent(await table.list());
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

/** This user's processes with `KEY=VALUE` in their environment. Empty except on Linux, which shows environments. */
export function findByEnvironment(marker: string): Promise<readonly ProcessInfo[]> {
  return table.findByEnvironment(marker);
}

/** Kills exactly these processes, and the groups that they lead. Never this process. */
export function killProcesses(processes: readonly ProcessInfo[]): Promise<void> {
  return killAmong(table, processes);
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
