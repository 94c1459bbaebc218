/** Bounds what runs at the same time, per key. */
export class RunningLimit {
  readonly #max: number;
  readonly #running = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one until `ended`. Returns false if too many run already. */
  begin(key: string, ended: Promise<void>): boolean {
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#max) return false;
    this.#running.set(key, running + 1);
    void ended.then(() => this.#end(key));
    return true;
  }

  #end(key: string): void {
    const left = (this.#running.get(key) ?? 0) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}
