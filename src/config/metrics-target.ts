import { isAbsolute } from 'node:path';
import type { MetricsTarget } from '../core/observability/measurements.js';

const address = /^(127\.0\.0\.1|localhost|\[::1\])?:(\d{1,5})$/;

/** The destination of the metrics. Undefined when the text names neither a file nor a loopback address. */
export function metricsTarget(text: string): MetricsTarget | 'off' | undefined {
  if (text === 'off') return text;
  if (isAbsolute(text)) return { kind: 'file', path: text };
  const [, host, port] = address.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) return undefined;
  // Never resolves localhost, because its entry could point elsewhere.
  return { kind: 'http', host: host === '[::1]' ? '::1' : '127.0.0.1', port: Number(port) };
}
