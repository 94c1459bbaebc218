/** Time as a dependency, so that limits can be tested without waiting for them. */
export interface Clock {
  now(): number;
  /** Calls back after `ms`; the returned function stops the timer. */
  after(ms: number, callback: () => void): () => void;
}

/** setTimeout takes a 32-bit number: a longer delay would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestDelayMs));
    return () => clearTimeout(timer);
  },
};
