import type { Clock } from '../../core/clock.js';

export interface RateLimitSettings {
  /** Also the number that may come at once. */
  readonly perMinute: number;
  readonly clock: Clock;
  /** How many keys are remembered. The one that was used longest ago is forgotten first. */
  readonly maxKeys?: number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Counts per key, in bounded memory: a token bucket each. */
export class RateLimit {
  readonly #settings: Required<RateLimitSettings>;
  readonly #buckets = new Map<string, Bucket>();

  constructor({ maxKeys = 10_000, ...settings }: RateLimitSettings) {
    this.#settings = { ...settings, maxKeys };
  }

  /** Takes one. Returns 0, or the seconds until the next one is free. */
  take(key: string): number {
    const { perMinute, clock, maxKeys } = this.#settings;
    const now = clock.now();
    const { left, at } = this.#buckets.get(key) ?? { left: perMinute, at: now };
    // The system clock can be set back.
    const refilled = Math.min(perMinute, left + (Math.max(0, now - at) * perMinute) / 60_000);
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: refilled < 1 ? refilled : refilled - 1, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxKeys && oldest !== undefined) this.#buckets.delete(oldest);
    return refilled < 1 ? Math.ceil(((1 - refilled) * 60) / perMinute) : 0;
  }
}
