import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessInfo, ProcessTable } from '../../core/processes.js';
import type { ClaudeChild } from './child.js';

/** Limits of each step. Together they stay below the three seconds that a client waits for the server to exit. */
const schedule = { interruptMs: 500, endOfInputMs: 500, sigtermMs: 700, sigkillMs: 300 } as const;

interface Table {
  readonly processes: ProcessTable;
  readonly marker: string;
}

interface Steps {
  /** The process is suspended and reacts to nothing. */
  readonly isHalted?: boolean;
  quiet(): Promise<void>;
  endInput(): void;
}

/** Ends Claude Code and all its descendants, first politely, then by force. */
export async function endChild(child: ClaudeChild, table: Table, steps: Steps): Promise<void> {
  const quiet = steps.isHalted === true ? undefined : steps.quiet();
  // Listed while the parent lives: after its exit the children belong to pid 1 and cannot be identified.
  const known = descendants(child, table.processes);
  const { killTree } = table.processes;
  if (killTree === undefined) await endBySignals(child, table, { steps, quiet, known });
  else await endByTree(child, table, { steps, quiet, known, killTree });
}

interface Plan {
  readonly steps: Steps;
  /** Undefined for a child that is halted. */
  readonly quiet: Promise<void> | undefined;
  readonly known: Promise<readonly ProcessInfo[]>;
}

async function endBySignals(child: ClaudeChild, table: Table, { steps, quiet, known }: Plan): Promise<void> {
  const early = await known;
  if (quiet !== undefined) {
    await endInput(child, steps, quiet);
    if (!child.hasExited) child.kill('SIGTERM');
    await settled(child, schedule.sigtermMs);
  }
  // Bash runs in a session of its own, so killing Claude Code's group would leave it alive.
  const late = await descendants(child, table.processes);
  if (!child.hasExited) child.kill('SIGKILL');
  await Promise.all([settled(child, schedule.sigkillMs), sweep([...early, ...late], table)]);
}

/**
 * Listing processes may take a second on Windows, so the list is only awaited for the children of a process that exited
 * by itself. SIGTERM would kill only Claude Code there, and its children could no longer be found.
 */
async function endByTree(
  child: ClaudeChild,
  { processes }: Table,
  { steps, quiet, known, killTree }: Plan & { readonly killTree: (pid: number) => Promise<boolean> },
): Promise<void> {
  if (quiet !== undefined) await endInput(child, steps, quiet);
  const isTreeGone = child.pid !== undefined && !child.hasExited && (await killTree(child.pid));
  if (!child.hasExited) child.kill('SIGKILL');
  await settled(child, schedule.sigkillMs);
  if (isTreeGone) return;
  const left = await known;
  if (left.length > 0) await processes.killProcesses(left);
}

async function endInput(child: ClaudeChild, steps: Steps, quiet: Promise<void>): Promise<void> {
  await settled(child, schedule.interruptMs, quiet);
  steps.endInput();
  child.endInput();
  await settled(child, schedule.endOfInputMs);
}

/** A failed listing must not keep the process itself alive. */
async function descendants(child: ClaudeChild, processes: ProcessTable): Promise<readonly ProcessInfo[]> {
  if (child.pid === undefined || child.hasExited) return [];
  return processes.descendantsOf(child.pid).catch(() => []);
}

/** Kills until nothing is left, because a shell may start its next command just before it dies. */
async function sweep(listed: readonly ProcessInfo[], { processes, marker }: Table): Promise<void> {
  let left = [...listed, ...(await processes.findByEnvironment(marker))];
  // Counts from the first kill: on a busy system the listing alone may take longer than the limit.
  const deadline = Date.now() + schedule.sigkillMs;
  while (left.length > 0) {
    await processes.killProcesses(left);
    await pause(10);
    left = [...(await processes.findByEnvironment(marker))];
    if (Date.now() > deadline) return;
  }
}

/** Waits for the exit of the process, for `done`, or for the time limit, whichever comes first. */
async function settled(child: ClaudeChild, limitMs: number, done?: Promise<void>): Promise<void> {
  if (child.hasExited) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([child.exited, limit, ...(done === undefined ? [] : [done])]);
  clearTimeout(timer);
}
