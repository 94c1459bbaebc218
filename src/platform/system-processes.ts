import type { ProcessInfo } from '../core/processes.js';

/** The process table of one operating system, without zombies. */
export interface SystemProcesses {
  list(): Promise<readonly ProcessInfo[]>;
  /** Those of the pids that are alive, in any order. */
  lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]>;
  findByEnvironment(marker: string): Promise<readonly ProcessInfo[]>;
}
