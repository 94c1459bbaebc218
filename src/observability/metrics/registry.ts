import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Measurement, Meter } from '../../core/observability/measurements.js';
import type { SessionStatus } from '../../core/session/session-state.js';
import { ModelLabels } from './labels.js';
import { metricTable } from './table.js';
import { samplesOf, type Sample } from './samples.js';

const statuses: readonly SessionStatus[] = ['running', 'waiting', 'idle', 'error', 'cancelled'];

/** The metrics of one server, as the text that Prometheus reads. */
export class MetricsRegistry implements Meter {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #models = new ModelLabels();
  #statuses: () => readonly SessionStatus[] = () => [];

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    for (const [key, row] of Object.entries(metricTable)) {
      const settings = { name: row.name, help: row.help, labelNames: [...row.labels], registers };
      if (row.type === 'counter') this.#counters.set(key, new Counter(settings));
      else if (row.type === 'gauge') this.#gauges.set(key, new Gauge(settings));
      else this.#histograms.set(key, new Histogram({ ...settings, buckets: [...row.buckets] }));
    }
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  watchSessions(statuses: () => readonly SessionStatus[]): void {
    this.#statuses = statuses;
  }

  async text(): Promise<string> {
    const now = this.#statuses();
    for (const state of statuses)
      this.#gauges.get('sessions')?.set({ state }, now.filter((status) => status === state).length);
    return this.#registry.metrics();
  }

  measure(measurement: Measurement): void {
    for (const sample of samplesOf(measurement, this.#models)) this.#take(sample);
  }

  #take(sample: Sample): void {
    if ('count' in sample) this.#counters.get(sample.count)?.inc({ ...sample.labels }, sample.by);
    else if ('shift' in sample) this.#gauges.get(sample.shift)?.inc(sample.by);
    // A clock that was set back must not make a sum smaller.
    else this.#histograms.get(sample.time)?.observe({ ...sample.labels }, Math.max(0, sample.ms) / 1_000);
  }
}
