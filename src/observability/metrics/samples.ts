import { toolLabel } from '../../core/claude/claude-tools.js';
import type { Measurement } from '../../core/observability/measurements.js';
import { statusLabel, type ModelLabels } from './labels.js';
import type { MetricName } from './table.js';

type Labels = Readonly<Record<string, string>>;

/** What one measurement changes in one metric. */
export type Sample =
  | { readonly count: MetricName<'counter'>; readonly labels?: Labels; readonly by?: number }
  | { readonly shift: MetricName<'gauge'>; readonly by: number }
  | { readonly time: MetricName<'histogram'>; readonly labels?: Labels; readonly ms: number };

type Mapper<M> = (measurement: M, models: ModelLabels) => readonly Sample[];

const mappers: { readonly [W in Measurement['what']]: Mapper<Extract<Measurement, { what: W }>> } = {
  call_ended: ({ tool, outcome, ms }) => [
    { count: 'calls', labels: { tool, outcome } },
    { time: 'callSeconds', labels: { tool, outcome }, ms },
    ...(outcome === 'ok' || outcome === 'input_required'
      ? []
      : [{ count: 'errors', labels: { code: outcome } } as const]),
  ],
  claude_tool_ended: ({ tool, outcome }) => [
    { count: 'claudeTools', labels: { tool: toolLabel(tool), outcome } },
  ],
  turn_stirred: ({ ms }) => [{ time: 'firstEventSeconds', ms }],
  turn_ended: ({ outcome, errorSubtype, ms }) => [
    { count: 'turns', labels: { outcome } },
    { time: 'turnSeconds', labels: { outcome }, ms },
    ...(errorSubtype === undefined
      ? []
      : [{ count: 'turnFailures', labels: { reason: errorSubtype } } as const]),
  ],
  input_settled: ({ kind, decision, answeredBy, ms }) => [
    { count: 'inputs', labels: { kind, answered_by: answeredBy, decision } },
    { time: 'inputSeconds', labels: { kind, answered_by: answeredBy }, ms },
  ],
  process_started: () => [{ count: 'spawned' }, { shift: 'processes', by: 1 }],
  process_ready: ({ isReady, ms }) => [
    { time: 'spawnSeconds', labels: { outcome: isReady ? 'ready' : 'failed' }, ms },
  ],
  process_ended: () => [{ shift: 'processes', by: -1 }],
  api_retried: ({ status }) => [{ count: 'retries', labels: { status: statusLabel(status) } }],
  model_used({ model: name, costUsd, tokens }, models) {
    const model = models.of(name);
    return [
      { count: 'cost', labels: { model }, by: costUsd },
      { count: 'tokens', labels: { model, type: 'input' }, by: tokens.input },
      { count: 'tokens', labels: { model, type: 'output' }, by: tokens.output },
      { count: 'tokens', labels: { model, type: 'cache_read' }, by: tokens.cacheRead },
      { count: 'tokens', labels: { model, type: 'cache_write' }, by: tokens.cacheWrite },
    ];
  },
  event_stored: () => [{ count: 'eventsStored' }],
  events_dropped: ({ count }) => [{ count: 'eventsDropped', by: count }],
};

export function samplesOf(measurement: Measurement, models: ModelLabels): readonly Sample[] {
  // The table has the right mapper for each; only the compiler cannot follow it through the key.
  const mapper = mappers[measurement.what] as Mapper<Measurement>;
  return mapper(measurement, models);
}
