import type { ProcessIdentity, ProcessInfo, ProcessTable } from '../../core/processes.js';
import { sweep } from '../launches/sweep.js';
import type { ClaudeChild } from './child.js';

/** Limits of each step. Together they stay below the three seconds that a client waits for the server to exit. */
const schedule = { interruptMs: 500, endOfInputMs: 500, sigtermMs: 700, sigkillMs: 300 } as const;

interface Table {
  readonly processes: ProcessTable;
  readonly marker: string;
  /** The user that runs it. Undefined: the user of this server. */
  readonly uid?: number | undefined;
  /** Undefined until its start time is known. */
  readonly claude?: ProcessIdentity | undefined;
}

interface Steps {
  /** The process is suspended and reacts to nothing. */
  readonly isHalted?: boolean;
  quiet(): Promise<void>;
  endInput(): void;
}

/** Ends Claude Code and all its descendants, first politely, then by force. Rejects if one of them may have survived. */
export async function endChild(child: ClaudeChild, table: Table, steps: Steps): Promise<void> {
  const quiet = steps.isHalted === true ? undefined : steps.quiet();
  const failures: unknown[] = [];
  // A failed listing must not keep the process itself alive.
  const list = async (): Promise<readonly ProcessInfo[]> =>
    descendants(child, table).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
  // Listed while the parent lives: after its exit the children belong to pid 1 and cannot be identified.
  const plan = { steps, quiet, list, known: list() };
  const { killTree } = table.processes;
  if (killTree === undefined) await endBySignals(child, table, plan);
  else await endByTree(child, table, { ...plan, killTree });
  if (failures.length > 0) throw failures[0];
}

interface Plan {
  readonly steps: Steps;
  /** Undefined for a child that is halted. */
  readonly quiet: Promise<void> | undefined;
  readonly known: Promise<readonly ProcessInfo[]>;
  readonly list: () => Promise<readonly ProcessInfo[]>;
}

async function endBySignals(child: ClaudeChild, table: Table, plan: Plan): Promise<void> {
  const { steps, quiet, known, list } = plan;
  const early = await known;
  if (quiet !== undefined) {
    await endInput(child, steps, quiet);
    if (!child.hasExited) child.kill('SIGTERM');
    await settled(child, schedule.sigtermMs);
  }
  // Bash runs in a session of its own, so killing Claude Code's group would leave it alive.
  const late = await list();
  if (!child.hasExited) child.kill('SIGKILL');
  await Promise.all([
    settled(child, schedule.sigkillMs),
    sweep([...early, ...late], { ...table, limitMs: schedule.sigkillMs }),
  ]);
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

async function descendants(
  child: ClaudeChild,
  { processes, claude }: Table,
): Promise<readonly ProcessInfo[]> {
  const { survivorsOf } = processes;
  if (survivorsOf !== undefined && claude !== undefined) return survivorsOf(claude);
  return child.pid === undefined || child.hasExited ? [] : processes.descendantsOf(child.pid);
}

/** Waits for the exit of the process, for `done`, or for the time limit, whichever comes first. */
async function settled(child: ClaudeChild, limitMs: number, done?: Promise<void>): Promise<void> {
  if (child.hasExited) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([child.exited, limit, ...(done === undefined ? [] : [done])]);
  clearTimeout(timer);
}
