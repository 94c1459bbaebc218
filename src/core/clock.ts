/** Time as a dependency, so that tests need not wait for time limits. */
export interface Clock {
  now(): number;
  /** Calls back after `ms`; the returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

/** setTimeout takes a 32-bit number and fires at once for a longer delay. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestDelayMs));
    return () => clearTimeout(timer);
  },
};
