import { expect, it } from 'vitest';
import type { Measurement } from '../../../src/core/observability/measurements.js';
import type { SessionStatus } from '../../../src/core/session/session-state.js';
import { LazyMetrics, type OpenMetrics } from '../../../src/observability/metrics/lazy-metrics.js';
import { deferred } from '../../kit/deferred.js';

function createScene(problem?: Error) {
  const loaded = deferred();
  const measured: Measurement[] = [];
  const logged: unknown[] = [];
  const counts = { loads: 0, closes: 0 };
  let statuses: () => readonly SessionStatus[] = () => [];
  const opened: OpenMetrics = {
    measure: (measurement) => void measured.push(measurement),
    watchSessions: (source) => (statuses = source),
    close: async () => void (counts.closes += 1),
  };
  const metrics = new LazyMetrics({ log: (...line: unknown[]) => void logged.push(line) }, async () => {
    counts.loads += 1;
    await loaded.promise;
    if (problem !== undefined) throw problem;
    return opened;
  });
  return { metrics, loaded, measured, logged, counts, statuses: () => statuses() };
}

const [first, second, third]: Measurement[] = [
  { what: 'process_started' },
  { what: 'event_stored' },
  { what: 'process_ended' },
];

it('buffers measurements in order until the registry is loaded, and loads it once', async () => {
  const { metrics, loaded, measured, counts, statuses } = createScene();
  metrics.watchSessions(() => ['idle']);

  metrics.measure(first as Measurement);
  metrics.measure(second as Measurement);
  metrics.open();
  const early = [...measured];
  loaded.resolve();
  await metrics.close();
  metrics.measure(third as Measurement);

  expect(early).toEqual([]);
  expect(measured).toEqual([first, second, third]);
  expect(statuses()).toEqual(['idle']);
  expect(counts).toEqual({ loads: 1, closes: 1 });
});

it('loads nothing when nobody opens it and nothing is measured', async () => {
  const { metrics, counts } = createScene();

  metrics.watchSessions(() => []);
  await metrics.close();

  expect(counts).toEqual({ loads: 0, closes: 0 });
});

it('logs once that metrics cannot be opened, and keeps the server running', async () => {
  const { metrics, loaded, logged, counts } = createScene(new Error('the port is taken'));

  metrics.measure(first as Measurement);
  loaded.resolve();
  await metrics.close();
  metrics.measure(second as Measurement);

  expect(logged).toEqual([['error', 'metrics could not be started', { reason: 'the port is taken' }]]);
  expect(counts).toEqual({ loads: 1, closes: 0 });
});
