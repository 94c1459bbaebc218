/** Who sends a request, as far as the limit of running requests counts it. */
export interface RunningSender {
  readonly principal: string;
  /** Unique within its principal. */
  readonly credential: string;
  /** A device, or a credential with the scope `approve`. */
  readonly mayApprove: boolean;
}

/**
 * Limits how many requests run at the same time. A principal gets half of the connections, which leaves room for others
 * and for health checks. A single credential gets a quarter. Part of the principal's share is reserved for people who
 * may approve, because a script must not lock out the person who wants to stop it.
 */
export class RunningLimit {
  readonly #ofPrincipal: number;
  readonly #ofCredential: number;
  readonly #withoutApprove: number;
  readonly #running = new Map<string, number>();

  constructor(maxConnections: number) {
    this.#ofPrincipal = Math.ceil(maxConnections / 2);
    this.#ofCredential = Math.ceil(maxConnections / 4);
    this.#withoutApprove = Math.ceil((this.#ofPrincipal * 3) / 4);
  }

  /** Counts them until `ended`. Returns false, and counts none, if too many run already. */
  begin({ principal, credential, mayApprove }: RunningSender, ended: Promise<void>, count = 1): boolean {
    const counts: readonly (readonly [key: string, max: number])[] = [
      [JSON.stringify([principal]), this.#ofPrincipal],
      [JSON.stringify([principal, credential]), this.#ofCredential],
      ...(mayApprove ? [] : [[JSON.stringify([principal, null]), this.#withoutApprove] as const]),
    ];
    if (counts.some(([key, max]) => (this.#running.get(key) ?? 0) + count > max)) return false;
    for (const [key] of counts) this.#running.set(key, (this.#running.get(key) ?? 0) + count);
    void ended.then(() => counts.forEach(([key]) => this.#end(key, count)));
    return true;
  }

  #end(key: string, count: number): void {
    const left = (this.#running.get(key) ?? 0) - count;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}
