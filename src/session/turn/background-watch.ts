import type { Clock } from '../../core/clock.js';

/** How long Claude Code may take to begin a turn after a background task ends. */
const graceMs = 2_000;

/**
 * Covers the gap between the end of a background task and the turn that Claude Code begins because of it. If a turn runs
 * when the task ends, that turn may hear of it, or another one follows.
 */
export class BackgroundWatch {
  readonly #clock: Clock;
  readonly #onGivenUp: () => void;
  #stopTimer: (() => void) | undefined;
  /** A task has ended, and perhaps nobody has heard of it. */
  #isUnheard = false;

  constructor(clock: Clock, onGivenUp: () => void) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
  }

  /** While true, the session is not at rest: closing it now would lose that turn. */
  get expectsTurn(): boolean {
    return this.#stopTimer !== undefined;
  }

  /** A task has ended. */
  note({ isInTurn }: { readonly isInTurn: boolean }): void {
    this.#isUnheard = true;
    if (!isInTurn) this.#expect();
  }

  /** A turn begins. One that Claude Code begins by itself is the one that was expected. */
  turnBegins({ isOwn }: { readonly isOwn: boolean }): void {
    this.#stop();
    if (isOwn) this.#isUnheard = false;
  }

  /** Returns whether another one is expected. */
  turnEnds(): boolean {
    if (this.#isUnheard) this.#expect();
    return this.#isUnheard;
  }

  /** Claude Code works on nothing, so that no turn follows. */
  onIdle(): void {
    this.#isUnheard = false;
    if (!this.expectsTurn) return;
    this.#stop();
    this.#onGivenUp();
  }

  /** The process ends. */
  forget(): void {
    this.#stop();
    this.#isUnheard = false;
  }

  #expect(): void {
    this.#stop();
    this.#stopTimer = this.#clock.after(graceMs, () => this.onIdle());
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}
