import { toolLabel } from '../../core/claude/claude-tools.js';
import type { Measurement } from '../../core/observability/measurements.js';
import { statusLabel, type ModelLabels } from './labels.js';

/**
 * The amount that one measurement adds to a metric (milliseconds for a histogram), followed by the labels in the order
 * of the row.
 */
export type Sample = readonly [value: number, ...labels: string[]];

type Samples = {
  readonly [W in Measurement['what']]?: (
    measurement: Extract<Measurement, { what: W }>,
    models: ModelLabels,
  ) => readonly Sample[];
};

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds, in seconds. */
  readonly buckets?: readonly number[];
  /** The measurements that change this metric. */
  readonly on: Samples;
}

const none: readonly Sample[] = [];

/** Computed when the metrics are read, because sessions can be counted at any time. */
export const sessionsMetric = 'claude_code_mcp_sessions';

/** Every metric of this server. docs/metrics.md is generated from this table. */
export const metricRows: readonly MetricRow[] = [
  {
    type: 'counter',
    name: 'claude_code_mcp_calls_total',
    labels: ['tool', 'outcome'],
    help: 'Calls to the tools of this server. outcome: ok, input_required or the error code.',
    on: { call_ended: ({ tool, outcome }) => [[1, tool, outcome]] },
  },
  {
    type: 'histogram',
    name: 'claude_code_mcp_call_duration_seconds',
    labels: ['tool', 'outcome'],
    help: 'Duration of tool calls in seconds, including time spent waiting.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    on: { call_ended: ({ tool, outcome, ms }) => [[ms, tool, outcome]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_errors_total',
    labels: ['code'],
    help: 'Calls that returned an error.',
    on: {
      call_ended: ({ outcome }) => (outcome === 'ok' || outcome === 'input_required' ? none : [[1, outcome]]),
    },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_claude_tool_calls_total',
    labels: ['tool', 'outcome'],
    help: 'Tool calls by Claude. tool: name of a built-in tool, mcp or other. outcome: ok, error, denied (by an answer) or unfinished.',
    on: { claude_tool_ended: ({ tool, outcome }) => [[1, toolLabel(tool), outcome]] },
  },
  {
    type: 'gauge',
    name: sessionsMetric,
    labels: ['state'],
    help: 'Sessions in memory.',
    on: {},
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_turns_total',
    labels: ['outcome'],
    help: 'Turns that ended. outcome: completed, interrupted or failed.',
    on: { turn_ended: ({ outcome }) => [[1, outcome]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_turn_failures_total',
    labels: ['reason'],
    help: 'Failed turns. reason: the errorSubtype.',
    on: { turn_ended: ({ errorSubtype }) => (errorSubtype === undefined ? none : [[1, errorSubtype]]) },
  },
  {
    type: 'histogram',
    name: 'claude_code_mcp_turn_duration_seconds',
    labels: ['outcome'],
    help: 'Duration of turns in seconds, including process start and time spent waiting for people.',
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
    on: { turn_ended: ({ outcome, ms }) => [[ms, outcome]] },
  },
  {
    type: 'histogram',
    name: 'claude_code_mcp_turn_first_event_seconds',
    labels: [],
    help: 'Time from the start of a turn to the first text or tool call by Claude, in seconds.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    on: { turn_stirred: ({ ms }) => [[ms]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_input_requests_total',
    labels: ['kind', 'answered_by', 'decision'],
    help: 'Settled input requests.',
    on: { input_settled: ({ kind, answeredBy, decision }) => [[1, kind, answeredBy, decision]] },
  },
  {
    type: 'histogram',
    name: 'claude_code_mcp_input_wait_seconds',
    labels: ['kind', 'answered_by'],
    help: 'Time from an input request to its answer, in seconds.',
    buckets: [1, 5, 15, 30, 60, 120, 300, 900, 3_600],
    on: { input_settled: ({ kind, answeredBy, ms }) => [[ms, kind, answeredBy]] },
  },
  {
    type: 'gauge',
    name: 'claude_code_mcp_processes',
    labels: [],
    help: 'Live Claude Code processes.',
    on: { process_started: () => [[1]], process_ended: () => [[-1]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_processes_started_total',
    labels: [],
    help: 'Claude Code processes started.',
    on: { process_started: () => [[1]] },
  },
  {
    type: 'histogram',
    name: 'claude_code_mcp_process_start_seconds',
    labels: ['outcome'],
    help: 'Time from the start of a process until it is ready or fails, in seconds. outcome: ready or failed.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    on: { process_ready: ({ isReady, ms }) => [[ms, isReady ? 'ready' : 'failed']] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_api_retries_total',
    labels: ['status'],
    help: 'API requests that Claude Code retried. status: HTTP status of the failed attempt, connection or other.',
    on: { api_retried: ({ status }) => [[1, statusLabel(status)]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_cost_usd_total',
    labels: ['model'],
    help: 'Cost of turns in US dollars. model unknown includes the estimated cost of killed processes.',
    on: { model_used: ({ model, costUsd }, models) => [[costUsd, models.of(model)]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_tokens_total',
    labels: ['model', 'type'],
    help: 'Tokens used. type: input, output, cache_read or cache_write.',
    on: {
      model_used({ model, tokens }, models) {
        const label = models.of(model);
        return [
          [tokens.input, label, 'input'],
          [tokens.output, label, 'output'],
          [tokens.cacheRead, label, 'cache_read'],
          [tokens.cacheWrite, label, 'cache_write'],
        ];
      },
    },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_events_stored_total',
    labels: [],
    help: 'Session events stored for callers to read.',
    on: { event_stored: () => [[1]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_events_dropped_total',
    labels: [],
    help: 'Session events dropped to make room for newer ones.',
    on: { events_dropped: ({ count }) => [[count]] },
  },
  {
    type: 'counter',
    name: 'claude_code_mcp_http_refusals_total',
    labels: ['reason'],
    help: 'HTTP requests that the service refused, such as those without a valid token.',
    on: { request_refused: ({ reason }) => [[1, reason]] },
  },
];
