import { ActiveTimer } from '../../core/active-timer.js';
import type { Clock } from '../../core/clock.js';

export interface TurnLimits {
  /** Paused while an input request is open. */
  readonly activeMs: number | undefined;
  /** Never paused. */
  readonly longestMs: number;
}

/** The time limits of a turn. They count Claude's work, so they start when a ready process has the prompt. */
export class TurnClock {
  readonly #limits: TurnLimits;
  readonly #clock: Clock;
  readonly #onLimit: (limit: keyof TurnLimits) => void;
  #active: ActiveTimer | undefined;
  #stopLongest: (() => void) | undefined;
  #isPaused = false;
  #isOver = false;

  constructor(limits: TurnLimits, clock: Clock, onLimit: (limit: keyof TurnLimits) => void) {
    this.#limits = limits;
    this.#clock = clock;
    this.#onLimit = onLimit;
  }

  /** Starts anew if another process has taken over the prompt. */
  start(): void {
    if (this.#isOver) return;
    this.#stop();
    const { activeMs, longestMs } = this.#limits;
    this.#stopLongest = this.#clock.after(longestMs, () => this.#onLimit('longestMs'));
    if (activeMs === undefined) return;
    this.#active = new ActiveTimer(activeMs, this.#clock, () => this.#onLimit('activeMs'));
    if (this.#isPaused) this.#active.pause();
  }

  pause(): void {
    this.#isPaused = true;
    this.#active?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#active?.resume();
  }

  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    this.#active?.end();
    this.#stopLongest?.();
  }
}
