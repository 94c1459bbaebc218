import type { MetricsTarget } from '../../core/observability/measurements.js';
import type { OpenMetrics } from './lazy-metrics.js';
import { MetricsFile, type MetricsOutput } from './file.js';
import { serveMetrics } from './http.js';
import type { MetricsRegistry } from './registry.js';

/** Starts to collect metrics, and writes or serves them at the target. */
export async function openMetrics(target: MetricsTarget, output: MetricsOutput): Promise<OpenMetrics> {
  const registry = await createRegistry();
  const opened =
    target.kind === 'http'
      ? await serveMetrics(target, registry, output.logger)
      : // Each client starts its own server. {pid} keeps them from overwriting each other's file.
        new MetricsFile(target.path.replaceAll('{pid}', String(process.pid)), () => registry.text(), output);
  return {
    measure: (measurement) => registry.measure(measurement),
    watchSessions: (statuses) => registry.watchSessions(statuses),
    close: () => opened.close(),
  };
}

/** prom-client is an optional dependency: npm may have skipped it. */
async function createRegistry(): Promise<MetricsRegistry> {
  try {
    const registry = await import('./registry.js');
    return new registry.MetricsRegistry();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new Error(
      'CLAUDE_CODE_MCP_METRICS needs the package prom-client, which is not installed. Run npm install prom-client@15 where claude-code-mcp is installed (with --global if it is installed globally), then restart the server.',
      { cause: error },
    );
  }
}
