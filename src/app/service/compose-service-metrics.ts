import { metricsTarget } from '../../config/metrics-target.js';
import { systemClock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { SessionStatus } from '../../core/session/session-state.js';
import type { MetricsSource } from '../../http/metrics-route.js';
import { openMetrics, type ReadableMetrics } from '../../observability/metrics/open.js';
import type { AppConfig } from '../app.js';

export interface ServiceMetrics {
  /** A meter for one of the servers. All of them count together. */
  meter(): Meter;
  readonly page: MetricsSource;
  close(): Promise<void>;
}

/** Metrics of the whole service. They are always collected, because /metrics can be read at any time. */
export async function composeServiceMetrics(config: AppConfig): Promise<ServiceMetrics> {
  const opened = await open(config);
  const sources: (() => readonly SessionStatus[])[] = [];
  opened?.watchSessions(() => sources.flatMap((statuses) => statuses()));
  return {
    meter: () => ({
      measure: (measurement) => opened?.measure(measurement),
      watchSessions: (statuses) => void sources.push(statuses),
    }),
    page: async () => opened && { contentType: opened.contentType, text: await opened.text() },
    close: async () => opened?.close(),
  };
}

async function open({ settings, logger }: AppConfig): Promise<ReadableMetrics | undefined> {
  const target = metricsTarget(settings.metrics) ?? 'off';
  try {
    return await openMetrics(target, { clock: systemClock, logger });
  } catch (error) {
    // Sessions must work even without metrics.
    logger.log('error', 'metrics could not be started', { reason: messageOf(error) });
    return undefined;
  }
}
