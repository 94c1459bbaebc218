import type { ProcessInfo } from '../core/processes.js';

/** The process table of one operating system, without zombies. */
export interface SystemProcesses {
  list(): Promise<readonly ProcessInfo[]>;
  /** The live processes among these pids, in any order. */
  lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]>;
  findByEnvironment(marker: string): Promise<readonly ProcessInfo[]>;
}
