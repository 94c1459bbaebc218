import type { BackendHost, BackendProcess, Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';

/** A process that began to serve a session without a start of its own. */
export interface ClaimedSpare {
  /** From now on it reports to this session. */
  attach(host: BackendHost): BackendProcess;
  stop(): Promise<void>;
}

/** Processes that wait for the next sessions. */
export interface SparePool {
  /** The id for a new session with these options, if a process waits for it. */
  idFor(options: EffectiveOptions): string | undefined;
  /** The process that waits under the id of this launch. Undefined if the session needs another one. */
  claim(launch: Launch): Promise<ClaimedSpare | undefined>;
  /** A session has started like this, so the next one may. */
  follow(launch: Launch): void;
  /** Resolves when all of them have exited. */
  close(): Promise<void>;
}
