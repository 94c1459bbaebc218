/** Who sends a request, as far as the limit of running requests counts it. */
export interface RunningSender {
  readonly principal: string;
  /** Unique within its principal. */
  readonly credential: string;
  /** A device, or a credential with the scope `approve`. */
  readonly mayApprove: boolean;
}

/**
 * Bounds the requests that run at the same time. Those of a principal get half of the connections, which leaves room for
 * others and for health checks, and those of one credential a quarter. A quarter of what a principal gets is for those
 * who may approve: a script must not keep out the person who could stop it.
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

  /** Counts one until `ended`. Returns false if too many run already. */
  begin({ principal, credential, mayApprove }: RunningSender, ended: Promise<void>): boolean {
    const counts: readonly (readonly [key: string, max: number])[] = [
      [JSON.stringify([principal]), this.#ofPrincipal],
      [JSON.stringify([principal, credential]), this.#ofCredential],
      ...(mayApprove ? [] : [[JSON.stringify([principal, null]), this.#withoutApprove] as const]),
    ];
    if (counts.some(([key, max]) => (this.#running.get(key) ?? 0) >= max)) return false;
    for (const [key] of counts) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    void ended.then(() => counts.forEach(([key]) => this.#end(key)));
    return true;
  }

  #end(key: string): void {
    const left = (this.#running.get(key) ?? 0) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}
