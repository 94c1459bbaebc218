interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds, in seconds. */
  readonly buckets?: readonly number[];
}

/** Every metric of ours. docs/metrics.md is this table. */
export const metricTable = {
  calls: {
    type: 'counter',
    name: 'claude_code_mcp_calls_total',
    labels: ['tool', 'outcome'],
    help: 'Calls of the tools of this server. outcome: ok, input_required or the error code.',
  },
  callSeconds: {
    type: 'histogram',
    name: 'claude_code_mcp_call_duration_seconds',
    labels: ['tool', 'outcome'],
    help: 'How long these calls took, waiting included.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  errors: {
    type: 'counter',
    name: 'claude_code_mcp_errors_total',
    labels: ['code'],
    help: 'Errors that calls were answered with.',
  },
  claudeTools: {
    type: 'counter',
    name: 'claude_code_mcp_claude_tool_calls_total',
    labels: ['tool', 'outcome'],
    help: 'Tool calls of Claude. tool: one of Claude Code itself, mcp or other. outcome: ok, error, denied (by an answer) or unfinished.',
  },
  sessions: {
    type: 'gauge',
    name: 'claude_code_mcp_sessions',
    labels: ['state'],
    help: 'Sessions in memory.',
  },
  turns: {
    type: 'counter',
    name: 'claude_code_mcp_turns_total',
    labels: ['outcome'],
    help: 'Turns that ended. outcome: completed, interrupted or failed.',
  },
  turnFailures: {
    type: 'counter',
    name: 'claude_code_mcp_turn_failures_total',
    labels: ['reason'],
    help: 'Turns that failed, by errorSubtype.',
  },
  turnSeconds: {
    type: 'histogram',
    name: 'claude_code_mcp_turn_duration_seconds',
    labels: ['outcome'],
    help: 'How long turns took, the start of a process and waiting for people included.',
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
  },
  firstEventSeconds: {
    type: 'histogram',
    name: 'claude_code_mcp_turn_first_event_seconds',
    labels: [],
    help: 'From the beginning of a turn to the first word or tool call of Claude.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  inputs: {
    type: 'counter',
    name: 'claude_code_mcp_input_requests_total',
    labels: ['kind', 'answered_by', 'decision'],
    help: 'Requests for input that were settled.',
  },
  inputSeconds: {
    type: 'histogram',
    name: 'claude_code_mcp_input_wait_seconds',
    labels: ['kind', 'answered_by'],
    help: 'How long they had waited.',
    buckets: [1, 5, 15, 30, 60, 120, 300, 900, 3_600],
  },
  processes: {
    type: 'gauge',
    name: 'claude_code_mcp_processes',
    labels: [],
    help: 'Claude Code processes that are alive.',
  },
  spawned: {
    type: 'counter',
    name: 'claude_code_mcp_processes_started_total',
    labels: [],
    help: 'Claude Code processes that were started.',
  },
  spawnSeconds: {
    type: 'histogram',
    name: 'claude_code_mcp_process_start_seconds',
    labels: ['outcome'],
    help: 'How long they took to get ready, or to end before that. outcome: ready or failed.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  retries: {
    type: 'counter',
    name: 'claude_code_mcp_api_retries_total',
    labels: ['status'],
    help: 'Requests to the API that Claude Code made again. status: what was answered before, connection or other.',
  },
  cost: {
    type: 'counter',
    name: 'claude_code_mcp_cost_usd_total',
    labels: ['model'],
    help: 'What turns have cost, in US dollars. model unknown: also what was charged for processes that were killed.',
  },
  tokens: {
    type: 'counter',
    name: 'claude_code_mcp_tokens_total',
    labels: ['model', 'type'],
    help: 'Tokens used. type: input, output, cache_read or cache_write.',
  },
  eventsStored: {
    type: 'counter',
    name: 'claude_code_mcp_events_stored_total',
    labels: [],
    help: 'Events of sessions that were kept for callers to read.',
  },
  eventsDropped: {
    type: 'counter',
    name: 'claude_code_mcp_events_dropped_total',
    labels: [],
    help: 'Events that made room for newer ones.',
  },
} as const satisfies Record<string, MetricRow>;

type MetricTable = typeof metricTable;

/** The metrics of one type. */
export type MetricName<T extends MetricRow['type']> = {
  readonly [K in keyof MetricTable]: MetricTable[K]['type'] extends T ? K : never;
}[keyof MetricTable];

export const metricRows: readonly MetricRow[] = Object.values(metricTable);
