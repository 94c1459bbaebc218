import type { ProcessInfo } from '../core/processes.js';

/** The process table of one operating system, without zombies. */
export interface SystemProcesses {
  list(): Promise<readonly ProcessInfo[]>;
  /** The live processes among these pids, in any order. */
  lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]>;
  /**
   * Processes with any of these `KEY=VALUE` in their environment. A process that starts itself again during the search
   * is found, too. Only Linux lists those of other users.
   */
  findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]>;
}

export interface MarkedProcess extends ProcessInfo {
  readonly marker: string;
  /** Undefined: the user of this server. */
  readonly uid?: number;
}
