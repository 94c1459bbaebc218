import { rename, rm, writeFile } from 'node:fs/promises';
import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/observability/logger.js';

const intervalMs = 15_000;

export interface MetricsOutput {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: IdSource;
}

/** Writes the metrics to a file now and then, whole each time, so that a reader finds the old ones or the new ones. */
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

  /** The last figures are those of the end. */
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
    // Another ending, because a collector reads whatever ends as it should.
    const temporary = `${this.#path}.${this.#output.ids.short()}.tmp`;
    try {
      // wx: what stands there already, a link perhaps, is not ours to write to.
      await writeFile(temporary, await this.#text(), { mode: 0o600, flag: 'wx' });
      await rename(temporary, this.#path);
      this.#lastReason = undefined;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      this.#complain(messageOf(error).replaceAll(temporary, this.#path));
    }
  }

  /** Once, not every few seconds. */
  #complain(reason: string): void {
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#output.logger.log('error', 'metrics could not be written', { reason });
  }
}
