/** Who sends a request, as far as the limit of running requests counts it. */
export interface RunningSender {
  readonly principal: string;
  /** Unique within its principal. */
  readonly credential: string;
  /** A device, or a credential with the scope `approve`. */
  readonly mayApprove: boolean;
}

/**
 * Limits how many requests run at the same time. A principal gets half of the connections, and a single credential a
 * quarter. Part of the principal's share is reserved for people who may approve, because a script must not lock out the
 * person who wants to stop it. The last quarter of all connections is for health checks, for
 * principals with few running requests, and for a few of each person: otherwise two principals could lock out all others.
 */
export class RunningLimit {
  readonly #ofPrincipal: number;
  readonly #ofCredential: number;
  readonly #withoutApprove: number;
  readonly #shared: number;
  readonly #few: number;
  #total = 0;
  readonly #running = new Map<string, number>();

  constructor(maxConnections: number) {
    this.#ofPrincipal = Math.ceil(maxConnections / 2);
    this.#ofCredential = Math.ceil(maxConnections / 4);
    this.#withoutApprove = Math.ceil((this.#ofPrincipal * 3) / 4);
    this.#shared = Math.floor((maxConnections * 3) / 4);
    this.#few = Math.ceil(maxConnections / 16);
  }

  /** Counts them until `ended`. Returns false, and counts none, if too many run already. */
  begin({ principal, credential, mayApprove }: RunningSender, ended: Promise<void>, count = 1): boolean {
    const isScarce = this.#total + count > this.#shared;
    const counts: readonly (readonly [key: string, max: number])[] = [
      [JSON.stringify([principal]), isScarce && !mayApprove ? this.#few : this.#ofPrincipal],
      [JSON.stringify([principal, credential]), isScarce ? this.#few : this.#ofCredential],
      ...(mayApprove ? [] : [[JSON.stringify([principal, null]), this.#withoutApprove] as const]),
    ];
    if (counts.some(([key, max]) => (this.#running.get(key) ?? 0) + count > max)) return false;
    this.#total += count;
    for (const [key] of counts) this.#running.set(key, (this.#running.get(key) ?? 0) + count);
    void ended.then(() => {
      this.#total -= count;
      for (const [key] of counts) this.#end(key, count);
    });
    return true;
  }

  #end(key: string, count: number): void {
    const left = (this.#running.get(key) ?? 0) - count;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}
