/** Lets only a few at once. The others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Acts when it is its turn. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    await this.begin();
    try {
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
