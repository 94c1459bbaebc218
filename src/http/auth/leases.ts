import type { Clock } from '../../core/clock.js';
import type { Authenticator } from './authenticator.js';
import type { Identity } from './identity.js';

interface Lease {
  readonly identity: Identity;
  readonly end: () => void;
}

export interface LeaseSettings {
  readonly authenticator: Pick<Authenticator, 'isInForce'>;
  readonly clock: Clock;
}

const checkEveryMs = 1_000;

/** Streams and connections that stay open after their request was accepted. Each ends with its credential. */
export class Leases {
  readonly #settings: LeaseSettings;
  readonly #leases = new Set<Lease>();
  #stopTimer: (() => void) | undefined;

  constructor(settings: LeaseSettings) {
    this.#settings = settings;
  }

  /** Calls `end` once when the credential is revoked or expires. The returned function releases the lease. */
  hold(identity: Identity, end: () => void): () => void {
    const lease = { identity, end };
    this.#leases.add(lease);
    this.#checkLater();
    return () => {
      this.#leases.delete(lease);
      if (this.#leases.size === 0) this.close();
    };
  }

  /** Waits for this, and returns whether the credential has ended meanwhile. */
  async endsDuring(identity: Identity, wait: Promise<void>): Promise<boolean> {
    let hasEnded = false;
    const release = this.hold(identity, () => (hasEnded = true));
    await wait.finally(release);
    return hasEnded;
  }

  close(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** Ends the leases whose credential has ended, without waiting for the next regular check. */
  async check(): Promise<void> {
    this.close();
    const { authenticator, clock } = this.#settings;
    const inForce = new Map<string, Promise<boolean>>();
    for (const lease of this.#leases) {
      const { identity, end } = lease;
      const { credential, tokenId, expiresAt } = identity;
      const key = JSON.stringify([credential, tokenId]);
      // A credential that cannot be checked counts as ended.
      const answer = inForce.get(key) ?? authenticator.isInForce(identity).catch(() => false);
      inForce.set(key, answer);
      const isExpired = expiresAt !== undefined && clock.now() >= expiresAt * 1_000;
      if (((await answer) && !isExpired) || !this.#leases.delete(lease)) continue;
      end();
    }
    if (this.#leases.size > 0) this.#checkLater();
  }

  #checkLater(): void {
    this.#stopTimer ??= this.#settings.clock.after(checkEveryMs, () => void this.check());
  }
}
