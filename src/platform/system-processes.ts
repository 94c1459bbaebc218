import type { ProcessInfo } from '../core/processes.js';

/** The process table of one operating system, without zombies. */
export interface SystemProcesses {
  list(): Promise<readonly ProcessInfo[]>;
  /** The live processes among these pids, in any order. */
  lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]>;
  /** This user's processes with any of these `KEY=VALUE` in their environment. */
  findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]>;
}

export interface MarkedProcess extends ProcessInfo {
  readonly marker: string;
}
