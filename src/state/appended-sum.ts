import { appendOwnLine, readOwnLines } from './own-lines.js';

/** A running total in US dollars. */
export interface Sum {
  readonly usd: number;
  add(line: object, usd: number): void;
  refresh(): Promise<void>;
  flush(): Promise<void>;
}

/** For sessions that are not persisted. */
export class MemorySum implements Sum {
  usd = 0;

  add(_line: object, usd: number): void {
    this.usd += usd;
  }

  async refresh(): Promise<void> {}

  async flush(): Promise<void> {}
}

export interface AppendedSumSettings {
  readonly path: string;
  /** The amount in a line; 0 if the line is damaged. */
  readonly usdOf: (line: string) => number;
  readonly onError: (error: unknown) => void;
}

/**
 * A sum of US dollars over the lines of a file. The file is only appended to, never rewritten, so that several servers
 * of one user can share it; each reads the lines that the others added.
 */
export class AppendedSum implements Sum {
  readonly #settings: AppendedSumSettings;
  #offset = 0;
  #readUsd = 0;
  /** Added here, but not yet read back from the file. */
  #pendingUsd = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(settings: AppendedSumSettings) {
    this.#settings = settings;
  }

  /** As of the last `refresh`, plus what was added here since. */
  get usd(): number {
    return this.#readUsd + this.#pendingUsd;
  }

  /** Counts the amount at once, even if the line cannot be written. */
  add(line: object, usd: number): void {
    const { path, onError } = this.#settings;
    this.#pendingUsd += usd;
    this.#queue(async () => {
      await appendOwnLine(path, line);
      this.#pendingUsd -= usd;
      await this.#readOn();
    }).catch(onError);
  }

  /** Reads what other servers have added. */
  refresh(): Promise<void> {
    return this.#queue(() => this.#readOn());
  }

  async flush(): Promise<void> {
    await this.#work.catch(() => undefined);
  }

  async #readOn(): Promise<void> {
    for await (const line of readOwnLines(this.#settings.path, this.#offset)) {
      this.#offset += Buffer.byteLength(line) + 1;
      this.#readUsd += this.#settings.usdOf(line);
    }
  }

  #queue(task: () => Promise<void>): Promise<void> {
    const done = this.#work.catch(() => undefined).then(task);
    this.#work = done;
    return done;
  }
}
