import type { ProcessInfo } from '../core/processes.js';

/** What one operating system tells about its processes. Zombies are dead and are not listed. */
export interface SystemProcesses {
  list(): Promise<readonly ProcessInfo[]>;
  /** The living ones among these pids, in any order. */
  lookup(pids: readonly number[]): Promise<readonly ProcessInfo[]>;
  findByEnvironment(marker: string): Promise<readonly ProcessInfo[]>;
}
