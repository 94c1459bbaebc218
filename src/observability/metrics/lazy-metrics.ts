import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import { noMeter, type Measurement, type Meter } from '../../core/observability/measurements.js';
import type { SessionStatus } from '../../core/session/session-state.js';

/** A meter with an output to close. */
export interface OpenMetrics extends Meter {
  close(): Promise<void>;
}

/** Buffers measurements until `open` has loaded the registry, so that start-up does not pay for prom-client. */
export class LazyMetrics implements Meter {
  readonly #logger: Logger;
  readonly #load: () => Promise<OpenMetrics>;
  #waiting: Measurement[] = [];
  #statuses: () => readonly SessionStatus[] = () => [];
  #meter: Meter | undefined;
  #opened: Promise<OpenMetrics | undefined> | undefined;

  constructor(logger: Logger, load: () => Promise<OpenMetrics>) {
    this.#logger = logger;
    this.#load = load;
  }

  measure(measurement: Measurement): void {
    if (this.#meter !== undefined) return this.#meter.measure(measurement);
    this.#waiting.push(measurement);
    this.open();
  }

  watchSessions(statuses: () => readonly SessionStatus[]): void {
    this.#statuses = statuses;
  }

  /** Later calls have no effect. */
  open(): void {
    this.#opened ??= this.#open();
  }

  async close(): Promise<void> {
    const metrics = await this.#opened;
    await metrics?.close();
  }

  async #open(): Promise<OpenMetrics | undefined> {
    try {
      const metrics = await this.#load();
      metrics.watchSessions(() => this.#statuses());
      this.#pass(metrics);
      return metrics;
    } catch (error) {
      // Sessions must work even without metrics.
      this.#logger.log('error', 'metrics could not be started', { reason: messageOf(error) });
      this.#pass(noMeter);
      return undefined;
    }
  }

  #pass(meter: Meter): void {
    this.#meter = meter;
    for (const measurement of this.#waiting) meter.measure(measurement);
    this.#waiting = [];
  }
}
