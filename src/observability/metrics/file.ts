import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import { replaceFile } from '../../files/atomic-write.js';

const intervalMs = 15_000;

export interface MetricsOutput {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Replaces a file with the current metrics every 15 seconds and at exit. */
export class MetricsFile {
  readonly #path: string;
  readonly #text: () => Promise<string>;
  readonly #output: MetricsOutput;
  #stopTimer: () => void = () => undefined;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;
  #lastReason: string | undefined;

  constructor(path: string, text: () => Promise<string>, output: MetricsOutput) {
    this.#path = path;
    this.#text = text;
    this.#output = output;
    this.#writeAndWait();
  }

  /** Writes the final values. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    await this.#work;
    await this.#write();
  }

  #writeAndWait(): void {
    this.#work = this.#write().then(() => {
      if (!this.#isClosed) this.#stopTimer = this.#output.clock.after(intervalMs, () => this.#writeAndWait());
    });
  }

  async #write(): Promise<void> {
    try {
      await replaceFile(this.#path, await this.#text());
      this.#lastReason = undefined;
    } catch (error) {
      this.#complain(messageOf(error));
    }
  }

  /** Logs a problem once, not every 15 seconds. */
  #complain(reason: string): void {
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#output.logger.log('error', 'metrics could not be written', { reason });
  }
}
