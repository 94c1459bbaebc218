import type { MetricsTarget } from '../../core/observability/measurements.js';
import type { OpenMetrics } from './lazy-metrics.js';
import { MetricsFile, type MetricsOutput } from './file.js';
import { serveMetrics } from './http.js';
import { MetricsRegistry } from './registry.js';

/** Begins to keep metrics, in the file or at the address that the operator wants them. */
export async function openMetrics(target: MetricsTarget, output: MetricsOutput): Promise<OpenMetrics> {
  const registry = new MetricsRegistry();
  const out = await openOutput(target, registry, output);
  return {
    measure: (measurement) => registry.measure(measurement),
    watchSessions: (statuses) => registry.watchSessions(statuses),
    close: () => out.close(),
  };
}

async function openOutput(
  target: MetricsTarget,
  registry: MetricsRegistry,
  output: MetricsOutput,
): Promise<{ close(): Promise<void> }> {
  if (target.kind === 'http') return serveMetrics(target, registry, output.logger);
  // Each client starts a server of its own: they need not overwrite each other.
  const path = target.path.replaceAll('{pid}', String(process.pid));
  return new MetricsFile(path, () => registry.text(), output);
}
