import type { Clock } from '../../core/clock.js';

const beatMs = 5_000;

/** Waits for the work and calls `beat` every 5 seconds: a client without progress times out. */
export async function withHeartbeat<T>(
  work: Promise<T>,
  clock: Clock,
  beat: (() => void) | undefined,
): Promise<T> {
  if (beat === undefined) return work;
  const next = (): void => {
    beat();
    stop = clock.after(beatMs, next);
  };
  let stop = clock.after(beatMs, next);
  try {
    return await work;
  } finally {
    stop();
  }
}
