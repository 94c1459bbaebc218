import type { Clock } from './clock.js';

/** A time limit that can be paused, so that time spent waiting for a person does not count against Claude. */
export class ActiveTimer {
  readonly #clock: Clock;
  readonly #onLimit: () => void;
  #leftMs: number;
  #since = 0;
  #stopTimer: (() => void) | undefined;
  #isOver = false;

  constructor(ms: number, clock: Clock, onLimit: () => void) {
    this.#leftMs = ms;
    this.#clock = clock;
    this.#onLimit = onLimit;
    this.resume();
  }

  pause(): void {
    if (this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#stopTimer = undefined;
    this.#leftMs -= this.#clock.elapsed() - this.#since;
  }

  resume(): void {
    if (this.#isOver || this.#stopTimer !== undefined) return;
    this.#since = this.#clock.elapsed();
    this.#stopTimer = this.#clock.after(this.#leftMs, this.#onLimit);
  }

  end(): void {
    this.#isOver = true;
    this.#stopTimer?.();
  }
}
