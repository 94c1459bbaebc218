import { isAbsolute } from 'node:path';
import { loopbackAddress } from './loopback-address.js';
import type { MetricsTarget } from '../core/observability/measurements.js';

const names: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

/** The destination of the metrics. Undefined when the text names neither a file nor a loopback address. */
export function metricsTarget(text: string): MetricsTarget | 'off' | undefined {
  if (text === 'off') return text;
  if (isAbsolute(text)) return { kind: 'file', path: text };
  const found = loopbackAddress(text);
  // Its answers are for these names only.
  return found !== undefined && names.has(found.host) ? { kind: 'http', ...found } : undefined;
}
