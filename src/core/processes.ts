export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Identifies a process for ever together with its pid; a pid alone may be reused. */
  readonly startTime: string;
}

/** Port: the processes of this operating system. */
export interface ProcessTable {
  startTimeOf(pid: number): Promise<string | undefined>;
  descendantsOf(pid: number): Promise<readonly ProcessInfo[]>;
  /** Finds processes with this `KEY=VALUE` in their environment; empty where the system does not expose it. */
  findByEnvironment(entry: string): Promise<readonly ProcessInfo[]>;
  killProcesses(processes: readonly ProcessInfo[]): Promise<void>;
  /**
   * Kills a live process and all its descendants in one step, where the system supports it; returns false if that
   * failed. The caller must hold the process, so that its pid cannot belong to another process.
   */
  readonly killTree?: ((pid: number) => Promise<boolean>) | undefined;
}
