import { AppError } from '../core/errors.js';

/** Lets only a few at once. The others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Acts when it is its turn, unless the client of the call has left meanwhile: otherwise it could leave any number of
   * calls behind.
   */
  async run<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.begin();
    try {
      if (signal?.aborted === true) throw new AppError('call_cancelled');
      return await act();
    } finally {
      this.end();
    }
  }

  async begin(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
