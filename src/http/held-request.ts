/**
 * What a request uses, such as memory for its body, until its connection has closed and all work for it is done. A client
 * can leave at any time, and the work that it leaves behind must still count.
 */
export class HeldRequest {
  readonly #work: Promise<unknown>[];
  #end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  constructor(closed: Promise<void>) {
    this.#work = [closed];
  }

  until(work: Promise<unknown>): void {
    this.#work.push(work);
  }

  /** Call it when all work has begun. */
  begun(): void {
    void Promise.allSettled(this.#work).then(this.#end);
  }
}
