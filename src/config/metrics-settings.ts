import { isAbsolute } from 'node:path';
import type { MetricsTarget } from '../core/observability/measurements.js';
import type { Setting } from './setting.js';

const words = 'off, an absolute path, or 127.0.0.1:PORT (also localhost:PORT, [::1]:PORT or :PORT)';
const address = /^(127\.0\.0\.1|localhost|\[::1\])?:(\d{1,5})$/;

/** Where metrics go; undefined when the operator wants none. Throws an Error that says what is accepted. */
export function metricsTarget(text: string): MetricsTarget | undefined {
  if (text === 'off') return undefined;
  if (isAbsolute(text)) return { kind: 'file', path: text };
  const [, host, port] = address.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) throw new Error(`must be ${words}`);
  // A name could be made to lead elsewhere.
  return { kind: 'http', host: host === '[::1]' ? '::1' : '127.0.0.1', port: Number(port) };
}

function check(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  metricsTarget(text);
  return text;
}

const metrics: Setting<string> = {
  flag: 'metrics',
  env: ['CLAUDE_CODE_MCP_METRICS'],
  fallback: 'off',
  shape: 'path|address',
  accepts: { text: words, json: `${words}, in quotes` },
  parse: check,
  fromJson: check,
  doc: 'Metrics for Prometheus: written to this file every 15 seconds and at the end, with {pid} in its name replaced, or served at /metrics on this address of the machine itself. See docs/metrics.md.',
};

export const metricsSettings = { metrics } as const;
