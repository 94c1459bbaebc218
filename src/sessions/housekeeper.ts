import type { Clock } from '../core/clock.js';
import type { Session } from '../session/session.js';

export interface HouseSettings {
  readonly clock: Clock;
  /** What the events of all sessions may take, with all else that sessions at rest keep in memory. */
  readonly memoryBytes: number;
  /** An idle session is removed from memory after this time; its record stays. */
  readonly sessionTtlMs: number;
  readonly cleanupIntervalMs: number;
  readonly list: () => readonly Session[];
  /** Its state could not be written, so it exists only in memory. */
  readonly isUnsaved: (session: Session) => boolean;
  readonly forget: (session: Session) => void;
  /** Deletes old sessions from disk, if that is due. */
  readonly prune: () => void;
}

/** Bounds the memory of all sessions together, and what they leave on disk. */
export class Housekeeper {
  readonly #settings: HouseSettings;
  #stopTimer: () => void;

  constructor(settings: HouseSettings) {
    this.#settings = settings;
    this.#stopTimer = this.#schedule();
    settings.prune();
  }

  stop(): void {
    this.#stopTimer();
  }

  /**
   * Drops the events of the idle sessions that rest longest first; pinned events stay. If that is not enough, the
   * sessions leave memory: a caller can start any number, some with megabytes of options.
   */
  shed(): void {
    const { memoryBytes, list, isUnsaved, forget } = this.#settings;
    const sessions = list().toSorted((a, b) => a.lastTouchedAt - b.lastTouchedAt);
    const resting = sessions.filter((session) => session.isForgettable && !session.view.isLive);
    let bytes =
      sessions.reduce((sum, { view }) => sum + view.log.bytes, 0) +
      resting.reduce((sum, { view }) => sum + view.heldBytes, 0);
    for (const session of sessions) {
      if (bytes <= memoryBytes) return;
      if (!session.view.isAtRest) continue;
      bytes -= session.view.log.bytes;
      session.view.log.shed();
      bytes += session.view.log.bytes;
    }
    for (const session of resting) {
      if (bytes <= memoryBytes) return;
      if (isUnsaved(session)) continue;
      bytes -= session.view.log.bytes + session.view.heldBytes;
      forget(session);
    }
  }

  #schedule(): () => void {
    return this.#settings.clock.after(this.#settings.cleanupIntervalMs, () => {
      this.#cleanUp();
      this.#settings.prune();
      this.#stopTimer = this.#schedule();
    });
  }

  #cleanUp(): void {
    const { clock, sessionTtlMs, list, isUnsaved, forget } = this.#settings;
    const before = clock.now() - sessionTtlMs;
    for (const session of list()) {
      if (!session.isForgettable || session.lastTouchedAt >= before) continue;
      if (isUnsaved(session)) continue;
      forget(session);
      void session.shutdown();
    }
  }
}
