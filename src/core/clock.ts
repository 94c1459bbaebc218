/** Time as a dependency, so that tests need not wait for time limits. */
export interface Clock {
  /** The time of day, which jumps when someone sets it, or while a computer sleeps. */
  now(): number;
  /** Milliseconds since some moment, as timers count them. */
  elapsed(): number;
  /** Calls back after `ms`; the returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

/** setTimeout takes a 32-bit number and fires at once for a longer delay. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestDelayMs));
    return () => clearTimeout(timer);
  },
};
