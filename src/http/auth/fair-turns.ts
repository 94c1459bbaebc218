import type { Identity } from './identity.js';

/** Who takes turns with others. */
export function senderOf({ principal, credential }: Pick<Identity, 'principal' | 'credential'>): string {
  return JSON.stringify([principal, credential]);
}

/**
 * Requests begin one at a time, and those of different senders in turn. Judging a request takes up to a few hundred
 * milliseconds, during which the service does nothing else. Without turns, a sender of hundreds would stop it for minutes.
 */
export class FairTurns {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Resolves when the next request of this sender may begin: at once while no other asks. */
  async next(sender: string): Promise<void> {
    if (!this.#isTaken) return this.#pass();
    const own = this.#waiting.get(sender) ?? [];
    this.#waiting.set(sender, own);
    await new Promise<void>((resolve) => own.push(resolve));
  }

  /** The next turn comes after everything else that the service can do now. */
  #pass(): void {
    this.#isTaken = true;
    setImmediate(() => {
      const [first] = this.#waiting;
      if (first === undefined) {
        this.#isTaken = false;
        return;
      }
      const [sender, [begin, ...others]] = first;
      this.#waiting.delete(sender);
      if (others.length > 0) this.#waiting.set(sender, others);
      this.#pass();
      begin?.();
    });
  }
}
