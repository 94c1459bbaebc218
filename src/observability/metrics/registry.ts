import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Measurement, Meter } from '../../core/observability/measurements.js';
import type { SessionStatus } from '../../core/session/session-state.js';
import { ModelLabels } from './labels.js';
import { metricRows, sessionsMetric, type MetricRow, type Sample } from './table.js';

const statuses: readonly SessionStatus[] = ['running', 'waiting', 'idle', 'error', 'cancelled'];

/** The metrics of one server, in the Prometheus text format. */
export class MetricsRegistry implements Meter {
  readonly #registry = new Registry();
  readonly #models = new ModelLabels();
  readonly #metrics = metricRows.map((row) => ({ row, add: adderFor(row, this.#registry) }));
  #statuses: () => readonly SessionStatus[] = () => [];

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  watchSessions(statuses: () => readonly SessionStatus[]): void {
    this.#statuses = statuses;
  }

  async text(): Promise<string> {
    const now = this.#statuses();
    const sessions = this.#registry.getSingleMetric(sessionsMetric) as Gauge;
    for (const state of statuses) sessions.set({ state }, now.filter((status) => status === state).length);
    return this.#registry.metrics();
  }

  measure(measurement: Measurement): void {
    for (const { row, add } of this.#metrics) {
      // The key selects the matching function, which the compiler cannot infer.
      const samplesOf = row.on[measurement.what] as
        ((measurement: Measurement, models: ModelLabels) => readonly Sample[]) | undefined;
      samplesOf?.(measurement, this.#models).forEach(add);
    }
  }
}

function adderFor({ type, name, help, labels, buckets }: MetricRow, registry: Registry) {
  const settings = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'histogram') {
    const histogram = new Histogram({ ...settings, buckets: [...(buckets ?? [])] });
    // A sum must not decrease when the system clock is set back.
    return ([ms, ...values]: Sample): void => histogram.labels(...values).observe(Math.max(0, ms) / 1_000);
  }
  const metric = type === 'counter' ? new Counter(settings) : new Gauge(settings);
  return ([by, ...values]: Sample): void => metric.labels(...values).inc(by);
}
