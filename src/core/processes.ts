export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Together with the pid this names one process for ever: pids are reused. */
  readonly startTime: string;
}

/** Port: the processes of this system. */
export interface ProcessTable {
  startTimeOf(pid: number): Promise<string | undefined>;
  descendantsOf(pid: number): Promise<readonly ProcessInfo[]>;
  /** Processes with this `KEY=VALUE` in their environment; empty where the system does not show it. */
  findByEnvironment(entry: string): Promise<readonly ProcessInfo[]>;
  killProcesses(processes: readonly ProcessInfo[]): Promise<void>;
  /**
   * Ends a live process with all its descendants in one step, where the system can; false when it could not. The
   * caller must hold the process, so that its pid cannot belong to another.
   */
  readonly killTree?: ((pid: number) => Promise<boolean>) | undefined;
}
