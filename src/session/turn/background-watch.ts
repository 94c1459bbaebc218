import type { Clock } from '../../core/clock.js';

/** How long Claude Code may take to begin a turn after a background task ends. */
const graceMs = 2_000;

/** Covers the gap between the end of a background task and the turn that Claude Code begins because of it. */
export class BackgroundWatch {
  readonly #clock: Clock;
  readonly #onGivenUp: () => void;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, onGivenUp: () => void) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
  }

  /** While true, the session is not at rest: closing it now would lose that turn. */
  get expectsTurn(): boolean {
    return this.#stopTimer !== undefined;
  }

  expect(): void {
    this.stop();
    this.#stopTimer = this.#clock.after(graceMs, () => {
      this.#stopTimer = undefined;
      this.#onGivenUp();
    });
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}
