/** Amounts reserved for running turns, by session: no other session may spend them. */
export class Reservations {
  readonly #usd = new Map<string, number>();
  /** Those of turns on other servers, as their records say. */
  readonly #elsewhere = new Map<string, number>();

  set(sessionId: string, usd: number): void {
    this.#usd.set(sessionId, usd);
  }

  use(sessionId: string, usd: number): void {
    const held = this.#usd.get(sessionId);
    if (held !== undefined) this.#usd.set(sessionId, Math.max(0, held - usd));
  }

  of(sessionId: string): number {
    return this.#usd.get(sessionId) ?? 0;
  }

  drop(sessionId: string): void {
    this.#usd.delete(sessionId);
  }

  /** 0 if no other server runs a turn of the session. */
  noteElsewhere(sessionId: string, usd: number): void {
    if (usd > 0) this.#elsewhere.set(sessionId, usd);
    else this.#elsewhere.delete(sessionId);
  }

  /** The sum of all other reservations. */
  besides(sessionId: string): number {
    return [...this.#usd, ...this.#elsewhere].reduce(
      (sum, [id, usd]) => (id === sessionId ? sum : sum + usd),
      0,
    );
  }
}
