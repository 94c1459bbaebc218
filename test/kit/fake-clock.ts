import type { Clock } from '../../src/core/clock.js';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test calls `advance`. */
export class FakeClock implements Clock {
  readonly #startAt: number;
  #now: number;
  /** What jumps have added to the time of day. */
  #jumpedMs = 0;
  readonly #timers = new Set<Timer>();
  readonly #expected = new Set<{ readonly ms: number; readonly found: () => void }>();

  constructor(startAt = Date.UTC(2026, 0, 1)) {
    this.#startAt = startAt;
    this.#now = startAt;
  }

  /** The number of pending timers. A component that has ended must leave none. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now + this.#jumpedMs;
  }

  /** Not near the time of day, so that a test notices when the two are mixed up. */
  elapsed(): number {
    return this.#now - this.#startAt;
  }

  /** Changes the time of day, as a person or a time server does. Timers do not notice. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    for (const one of this.#expected) {
      if (one.ms !== timer.at - this.#now) continue;
      this.#expected.delete(one);
      one.found();
    }
    return () => void this.#timers.delete(timer);
  }

  /** Waits until something new is scheduled that is due in exactly `ms`. */
  scheduled(ms: number): Promise<void> {
    return new Promise((found) => this.#expected.add({ ms, found }));
  }

  /** Waits until something is due in exactly `ms`, and lets that time pass. */
  async pass(ms: number): Promise<void> {
    await this.expect(ms);
    this.advance(ms);
  }

  /** Waits until something is due in exactly `ms`. */
  async expect(ms: number): Promise<void> {
    const isDue = [...this.#timers].some(({ at }) => at === this.#now + ms);
    if (!isDue) await this.scheduled(ms);
  }

  /** Fires all timers due in the next `ms`, in order, including timers that these callbacks start. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let timer = this.#nextDue(until); timer !== undefined; timer = this.#nextDue(until)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.callback();
    }
    this.#now = until;
  }

  #nextDue(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
