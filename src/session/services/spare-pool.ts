import type { BackendHost, BackendProcess, Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions, RequestedOptions } from '../../core/options/index.js';

/** A process that began to serve a session without a start of its own. */
export interface ClaimedSpare {
  /** From now on it reports to this session. */
  attach(host: BackendHost): BackendProcess;
  stop(): Promise<void>;
}

/** Processes that wait for the next sessions. */
export interface SparePool {
  /** The id for a new session: that of a process that waits for such a session, or a new one. */
  idFor(options: EffectiveOptions, requested: RequestedOptions): string;
  /** The process that waits under the id of this launch. Undefined if the session needs another one. */
  claim(launch: Launch): Promise<ClaimedSpare | undefined>;
  /** A session has started like this. If its caller chose no options, another process waits for the next. */
  follow(launch: Launch): void;
  /** Resolves when all of them have exited. */
  close(): Promise<void>;
}
