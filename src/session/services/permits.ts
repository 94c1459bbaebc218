/** A start that takes longer waits for something other than the CPU, so that another may begin beside it. */
export const permitMs = 2_000;

/**
 * Limits concurrent starts. Starting Claude Code is CPU-bound: many starts at once delay each other past the init
 * timeout.
 */
export class Permits {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with the function that gives the permit back. Only its first call counts. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (isHeld) this.#passOn();
      isHeld = false;
    };
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
