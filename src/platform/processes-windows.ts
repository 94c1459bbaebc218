import type { ProcessIdentity, ProcessInfo } from '../core/processes.js';
import { batched } from '../core/shared-work.js';
import type { SystemProcesses } from './system-processes.js';
import { runTool } from './run-tool.js';

// CIM knows parents but rounds start times. Get-Process has exact ones, as file times like Claude Code's own record,
// but only for processes that we may open, and those are the only ones that we could kill.
const SCRIPT = `
$ErrorActionPreference = 'SilentlyContinue'
$start = @{}
foreach ($p in Get-Process) { try { $start[[int]$p.Id] = $p.StartTime.ToFileTimeUtc() } catch { } }
foreach ($p in Get-CimInstance -ClassName Win32_Process -Property ProcessId, ParentProcessId) {
  $t = $start[[int]$p.ProcessId]
  if ($t) { "$($p.ProcessId) $($p.ParentProcessId) $t" }
}`;

// PowerShell takes about a second, so simultaneous questions share its answer.
const list = batched<undefined, readonly ProcessInfo[]>(async () => {
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', SCRIPT];
  return parseCim(await runTool({ file: 'powershell.exe', args }));
});

export const windowsProcesses: SystemProcesses = {
  list: () => list(undefined),
  lookup: async (pids) => (await list(undefined)).filter(({ pid }) => pids.includes(pid)),
  // Other processes' environments are not readable here.
  findByEnvironment: async () => [],
};

/**
 * Descendants of a process that may have exited: Windows never gives an orphan another parent. Older processes with that
 * parent are children of an earlier process with the same pid; younger ones may be, if a later process has it.
 */
export function survivorsAmong(
  all: readonly ProcessInfo[],
  { pid, startTime }: ProcessIdentity,
): readonly ProcessInfo[] {
  if (all.some((one) => one.pid === pid && one.startTime !== startTime)) return [];
  const found = all.filter((one) => one.ppid === pid && BigInt(one.startTime) >= BigInt(startTime));
  for (const parent of found)
    found.push(...all.filter((one) => one.ppid === parent.pid && !found.includes(one)));
  return found;
}

/** Parses lines of `pid ppid startTime`. A parent that started after its child is a reused pid and becomes 0. */
export function parseCim(text: string): readonly ProcessInfo[] {
  const rows = text.split(/\r?\n/).flatMap((line) => {
    const [, pid, ppid, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(line) ?? [];
    return startTime === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), pgid: 0, startTime }];
  });
  const starts = new Map(rows.map(({ pid, startTime }) => [pid, BigInt(startTime)]));
  return rows.map((row) => {
    const parentStart = starts.get(row.ppid);
    const reused = parentStart !== undefined && parentStart > BigInt(row.startTime);
    return reused ? { ...row, ppid: 0 } : row;
  });
}
