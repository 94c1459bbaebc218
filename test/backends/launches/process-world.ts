import type { ProcessIdentity, ProcessInfo, ProcessTable } from '../../../src/core/processes.js';

export interface PlayedProcess extends ProcessInfo {
  readonly marker?: string;
  /** Ignores SIGTERM. */
  readonly isStubborn?: boolean;
}

/** A process table in memory. */
export class ProcessWorld implements ProcessTable {
  readonly signals: string[] = [];
  alive: readonly PlayedProcess[];
  killTree: ProcessTable['killTree'];
  survivorsOf: ProcessTable['survivorsOf'];

  constructor(alive: readonly PlayedProcess[]) {
    this.alive = alive;
  }

  get pids(): readonly number[] {
    return this.alive.map(({ pid }) => pid);
  }

  startTimeOf = async (pid: number): Promise<string | undefined> =>
    this.alive.find((one) => one.pid === pid)?.startTime;

  descendantsOf = async (pid: number): Promise<readonly ProcessInfo[]> => {
    const children = this.alive.filter(({ ppid }) => ppid === pid);
    const deeper = await Promise.all(children.map((child) => this.descendantsOf(child.pid)));
    return [...children, ...deeper.flat()];
  };

  findByEnvironment = async (entry: string): Promise<readonly ProcessInfo[]> =>
    this.alive.filter(({ marker }) => marker === entry);

  terminateProcesses = async (processes: readonly ProcessIdentity[]): Promise<void> => {
    this.#signal('SIGTERM', processes, ({ isStubborn }) => isStubborn !== true);
  };

  killProcesses = async (processes: readonly ProcessIdentity[]): Promise<void> => {
    this.#signal('SIGKILL', processes, () => true);
  };

  #signal(name: string, processes: readonly ProcessIdentity[], obeys: (one: PlayedProcess) => boolean): void {
    const reached = this.alive.filter((one) =>
      processes.some(({ pid, startTime }) => one.pid === pid && one.startTime === startTime),
    );
    this.signals.push(...reached.map(({ pid }) => `${name} ${pid}`));
    const ended = new Set(reached.filter(obeys).map(({ pid }) => pid));
    // Orphans belong to pid 1.
    this.alive = this.alive
      .filter(({ pid }) => !ended.has(pid))
      .map((one) => (ended.has(one.ppid) ? { ...one, ppid: 1 } : one));
  }
}

/** Processes with equal pid and start time; `extra` adds what matters. */
export function played(pid: number, extra: Partial<PlayedProcess> = {}): PlayedProcess {
  return { pid, ppid: 1, pgid: pid, startTime: String(pid), ...extra };
}
