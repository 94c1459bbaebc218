/** The wait of a process for its session. */
export class Parking {
  /** Resolves when Claude Code waits for its session. Rejects if that will not happen. */
  readonly parked: Promise<void>;
  /** What the start depended on besides the launch. */
  #origin: string | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor() {
    this.parked = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A process that does not wait has no listener.
    this.parked.catch(() => undefined);
  }

  start(origin: string): void {
    this.#origin = origin;
  }

  arrive(): void {
    this.#resolve();
  }

  leave(reason: string): void {
    this.#reject(new Error(reason));
  }

  /** Throws if a process that starts now would have another executable or environment. */
  refuseChange(origin: string): void {
    if (origin !== this.#origin) throw new Error('the executable or the environment of sessions has changed');
  }
}
