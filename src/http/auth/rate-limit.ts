import type { Clock } from '../../core/clock.js';

export interface RateLimitSettings {
  /** Also the size of a burst. */
  readonly perMinute: number;
  readonly clock: Clock;
  /** Maximum number of keys in memory. The least recently used one is dropped first. */
  readonly maxKeys?: number;
}

/** Failed logins of one peer: more than a person or a client with an old token causes. */
export const failuresPerMinute = 20;

const minute = 60_000;

/** Counts per key, in bounded memory. */
export class RateLimit {
  readonly #settings: Required<RateLimitSettings>;
  /** When the whole limit is free again. */
  readonly #freeAt = new Map<string, number>();

  constructor({ maxKeys = 10_000, ...settings }: RateLimitSettings) {
    this.#settings = { ...settings, maxKeys };
  }

  /** Takes one. Returns 0, or the seconds until the next one is free. */
  take(key: string): number {
    const { perMinute, clock, maxKeys } = this.#settings;
    const now = clock.elapsed();
    const freeAt = Math.max(this.#freeAt.get(key) ?? now, now);
    const next = freeAt + minute / perMinute;
    const waitMs = Math.floor(next - now - minute);
    this.#freeAt.delete(key);
    this.#freeAt.set(key, waitMs > 0 ? freeAt : next);
    const [oldest] = this.#freeAt.keys();
    if (this.#freeAt.size > maxKeys && oldest !== undefined) this.#freeAt.delete(oldest);
    return waitMs > 0 ? Math.ceil(waitMs / 1_000) : 0;
  }
}
