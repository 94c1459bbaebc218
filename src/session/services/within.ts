import type { Clock } from '../../core/clock.js';

/** No call waits longer for the disk. */
export const slowDiskMs = 2_000;

/** Rejects after the limit: a frozen process never answers, and must not block the caller. */
export function within<T>(ms: number, clock: Clock, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopTimer = clock.after(ms, () => reject(new Error(`no answer within ${ms / 1000} s`)));
    answer.finally(stopTimer).then(resolve, reject);
  });
}
