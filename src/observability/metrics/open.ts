import type { MetricsTarget } from '../../core/observability/measurements.js';
import type { OpenMetrics } from './lazy-metrics.js';
import { MetricsFile, type MetricsOutput } from './file.js';
import { serveMetrics, type MetricsPage } from './http.js';
import type { MetricsRegistry } from './registry.js';

/** Metrics that can also be read in this process. */
export type ReadableMetrics = OpenMetrics & MetricsPage;

/** Starts to collect metrics, and writes or serves them at the target. */
export async function openMetrics(
  target: MetricsTarget | 'off',
  output: MetricsOutput,
): Promise<ReadableMetrics> {
  const registry = await createRegistry();
  const opened = await openOutput(target, registry, output);
  return {
    contentType: registry.contentType,
    text: () => registry.text(),
    measure: (measurement) => registry.measure(measurement),
    watchSessions: (statuses) => registry.watchSessions(statuses),
    close: async () => opened?.close(),
  };
}

async function openOutput(
  target: MetricsTarget | 'off',
  registry: MetricsRegistry,
  output: MetricsOutput,
): Promise<{ close(): Promise<void> } | undefined> {
  if (target === 'off') return undefined;
  if (target.kind === 'http') return serveMetrics(target, registry, output.logger);
  // Each client starts its own server. {pid} keeps them from overwriting each other's file.
  const path = target.path.replaceAll('{pid}', String(process.pid));
  return new MetricsFile(path, () => registry.text(), output);
}

/** prom-client is an optional dependency: npm may have skipped it. */
async function createRegistry(): Promise<MetricsRegistry> {
  try {
    const registry = await import('./registry.js');
    return new registry.MetricsRegistry();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new Error(
      'Metrics need the package prom-client, which is not installed. Run npm install prom-client@15 where claude-code-mcp is installed (with --global if it is installed globally), then restart the server.',
      { cause: error },
    );
  }
}
