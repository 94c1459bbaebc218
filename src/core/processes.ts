/** Identifies a process for ever; a pid alone may be reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

export interface ProcessInfo extends ProcessIdentity {
  readonly ppid: number;
  readonly pgid: number;
}

/** Port: the processes of this operating system. */
export interface ProcessTable {
  startTimeOf(pid: number): Promise<string | undefined>;
  descendantsOf(pid: number): Promise<readonly ProcessInfo[]>;
  /** The same for a process that may have exited, where the system still knows its children: on Windows. */
  readonly survivorsOf?: ((gone: ProcessIdentity) => Promise<readonly ProcessInfo[]>) | undefined;
  /**
   * Finds processes of a user, by default the user of this server, with this `KEY=VALUE` in their environment; empty
   * where the system does not expose it.
   */
  findByEnvironment(entry: string, uid?: number): Promise<readonly ProcessInfo[]>;
  /** Sends SIGTERM to these processes, and to the groups that they lead. */
  terminateProcesses(processes: readonly ProcessIdentity[]): Promise<void>;
  killProcesses(processes: readonly ProcessIdentity[]): Promise<void>;
  /**
   * Kills a live process and all its descendants in one step, where the system supports it; returns false if that
   * failed. The caller must hold the process, so that its pid cannot belong to another process.
   */
  readonly killTree?: ((pid: number) => Promise<boolean>) | undefined;
}

/** A user of the operating system, by number: not every user has a name. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}
