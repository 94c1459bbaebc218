import { isAbsolute } from 'node:path';
import { loopbackAddress } from './loopback-address.js';
import type { MetricsTarget } from '../core/observability/measurements.js';

/** The destination of the metrics. Undefined when the text names neither a file nor a loopback address. */
export function metricsTarget(text: string): MetricsTarget | 'off' | undefined {
  if (text === 'off') return text;
  if (isAbsolute(text)) return { kind: 'file', path: text };
  const found = loopbackAddress(text);
  return found && { kind: 'http', ...found };
}
