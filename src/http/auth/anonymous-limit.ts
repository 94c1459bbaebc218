import type { Clock } from '../../core/clock.js';
import { RateLimit } from './rate-limit.js';

export interface AnonymousSettings {
  readonly perMinute: number;
  readonly perMinuteAndAddress: number;
  readonly clock: Clock;
}

/** Bounds requests without a valid token, such as health checks: by address, and in total. */
export class AnonymousLimit {
  readonly #byAddress: RateLimit;
  readonly #total: RateLimit;

  constructor({ perMinute, perMinuteAndAddress, clock }: AnonymousSettings) {
    this.#byAddress = new RateLimit({ perMinute: perMinuteAndAddress, clock });
    this.#total = new RateLimit({ perMinute, clock });
  }

  /** Takes one. Returns 0, or the seconds until the next one is free. */
  take(peer: string): number {
    // First, so that what one address sends beyond its limit does not use up the total.
    return this.takeOwn(peer) || this.#total.take('');
  }

  /** The same without the total, for health checks: many strangers must not make the service look dead. */
  takeOwn(peer: string): number {
    return this.#byAddress.take(peer);
  }
}
