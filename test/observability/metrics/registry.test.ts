import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../../src/core/observability/measurements.js';
import { metricRows } from '../../../src/observability/metrics/table.js';
import { MetricsRegistry } from '../../../src/observability/metrics/registry.js';
import { Scrape } from '../../kit/scrape.js';

async function scrapeOf(...measurements: readonly Measurement[]): Promise<Scrape> {
  const registry = new MetricsRegistry();
  for (const measurement of measurements) registry.measure(measurement);
  return new Scrape(await registry.text());
}

const tokens = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 };

/** Each kind of measurement once, and what a scrape then holds of ours: whatever is left out is 0 or not there. */
const effects: Readonly<Record<string, readonly [readonly Measurement[], Readonly<Record<string, object>>]>> =
  {
    'a call that went well': [
      [{ what: 'call_ended', tool: 'claude_code', outcome: 'ok', ms: 70 }],
      {
        claude_code_mcp_calls_total: { 'claude_code,ok': 1 },
        claude_code_mcp_call_duration_seconds: { 'claude_code,ok': 1 },
      },
    ],
    'a call that was refused': [
      [{ what: 'call_ended', tool: 'claude_code', outcome: 'SESSION_BUSY', ms: 1 }],
      {
        claude_code_mcp_calls_total: { 'claude_code,SESSION_BUSY': 1 },
        claude_code_mcp_call_duration_seconds: { 'claude_code,SESSION_BUSY': 1 },
        claude_code_mcp_errors_total: { SESSION_BUSY: 1 },
      },
    ],
    'a call that asks a person first': [
      [{ what: 'call_ended', tool: 'claude_code', outcome: 'input_required', ms: 1 }],
      {
        claude_code_mcp_calls_total: { 'claude_code,input_required': 1 },
        claude_code_mcp_call_duration_seconds: { 'claude_code,input_required': 1 },
      },
    ],
    'tool calls of Claude': [
      [
        { what: 'claude_tool_ended', tool: 'Bash', outcome: 'ok' },
        { what: 'claude_tool_ended', tool: 'Bash', outcome: 'ok' },
        { what: 'claude_tool_ended', tool: 'Agent', outcome: 'error' },
        { what: 'claude_tool_ended', tool: 'mcp__a__b', outcome: 'denied' },
        { what: 'claude_tool_ended', tool: 'constructor', outcome: 'unfinished' },
      ],
      {
        claude_code_mcp_claude_tool_calls_total: {
          'Bash,ok': 2,
          'Agent,error': 1,
          'mcp,denied': 1,
          'other,unfinished': 1,
        },
      },
    ],
    'the turns of a session': [
      [
        { what: 'turn_stirred', ms: 300 },
        { what: 'turn_ended', outcome: 'completed', errorSubtype: undefined, ms: 900 },
        { what: 'turn_ended', outcome: 'failed', errorSubtype: 'overloaded', ms: 900 },
      ],
      {
        claude_code_mcp_turn_first_event_seconds: { '': 1 },
        claude_code_mcp_turns_total: { completed: 1, failed: 1 },
        claude_code_mcp_turn_duration_seconds: { completed: 1, failed: 1 },
        claude_code_mcp_turn_failures_total: { overloaded: 1 },
      },
    ],
    'a settled request': [
      [
        {
          what: 'input_settled',
          kind: 'plan_review',
          decision: 'allow',
          answeredBy: 'elicitation',
          ms: 4_000,
        },
      ],
      {
        claude_code_mcp_input_requests_total: { 'plan_review,elicitation,allow': 1 },
        claude_code_mcp_input_wait_seconds: { 'plan_review,elicitation': 1 },
      },
    ],
    'processes that come and go': [
      [
        { what: 'process_started' },
        { what: 'process_ready', isReady: true, ms: 400 },
        { what: 'process_started' },
        { what: 'process_ready', isReady: false, ms: 40 },
        { what: 'process_ended' },
      ],
      {
        claude_code_mcp_processes: { '': 1 },
        claude_code_mcp_processes_started_total: { '': 2 },
        claude_code_mcp_process_start_seconds: { ready: 1, failed: 1 },
      },
    ],
    'retries of the API': [
      [
        { what: 'api_retried', status: 529 },
        { what: 'api_retried', status: undefined },
        { what: 'api_retried', status: 1e9 },
      ],
      { claude_code_mcp_api_retries_total: { '529': 1, connection: 1, other: 1 } },
    ],
    'what models used': [
      [
        { what: 'model_used', model: 'claude-opus-5-5', costUsd: 0.25, tokens },
        { what: 'model_used', model: 'claude-opus-5-5', costUsd: 0.5, tokens },
      ],
      {
        claude_code_mcp_cost_usd_total: { 'claude-opus-5-5': 0.75 },
        claude_code_mcp_tokens_total: {
          'claude-opus-5-5,input': 200,
          'claude-opus-5-5,output': 40,
          'claude-opus-5-5,cache_read': 6,
          'claude-opus-5-5,cache_write': 8,
        },
      },
    ],
    'events kept and dropped': [
      [{ what: 'event_stored' }, { what: 'event_stored' }, { what: 'events_dropped', count: 5 }],
      {
        claude_code_mcp_events_stored_total: { '': 2 },
        claude_code_mcp_events_dropped_total: { '': 5 },
      },
    ],
  };

describe('a scrape', () => {
  it('covers every kind of measurement', () => {
    const kinds: Readonly<Record<Measurement['what'], true>> = {
      call_ended: true,
      claude_tool_ended: true,
      turn_stirred: true,
      turn_ended: true,
      input_settled: true,
      process_started: true,
      process_ready: true,
      process_ended: true,
      api_retried: true,
      model_used: true,
      event_stored: true,
      events_dropped: true,
      request_refused: true,
    };

    expect(new Set(metricRows.flatMap(({ on }) => Object.keys(on)))).toEqual(new Set(Object.keys(kinds)));
  });

  it('contains every metric of the table with its type and help, and the process metrics', async () => {
    const { families } = await scrapeOf();

    const ours = [...families.values()].filter(({ name }) => name.startsWith('claude_code_mcp_'));
    expect(ours.map(({ name, type, help }) => ({ name, type: type.toLowerCase(), help }))).toEqual(
      metricRows.map(({ name, type, help }) => ({ name, type, help })),
    );
    expect([...families.keys()]).toEqual(
      expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes']),
    );
  });

  it.each(Object.entries(effects))('reports %s', async (_what, [measurements, expected]) => {
    const before = (await scrapeOf()).own();

    const after = (await scrapeOf(...measurements)).own();

    expect(after).toEqual({ ...before, ...expected });
  });

  it('puts times into buckets of seconds, and treats a negative time as zero', async () => {
    const scrape = await scrapeOf({ what: 'turn_stirred', ms: 300 }, { what: 'turn_stirred', ms: -9_000 });

    const name = 'claude_code_mcp_turn_first_event_seconds';
    expect(scrape.values(`${name}_bucket`)).toMatchObject({ '0.1': 1, '0.25': 1, '0.5': 2, '+Inf': 2 });
    expect(scrape.values(`${name}_sum`)).toEqual({ '': 0.3 });
  });

  it('counts sessions by state when it is read, and includes states without sessions', async () => {
    const registry = new MetricsRegistry();
    registry.watchSessions(() => ['idle', 'waiting', 'idle']);

    const scrape = new Scrape(await registry.text());

    expect(scrape.counts('claude_code_mcp_sessions')).toEqual({
      running: 0,
      waiting: 1,
      idle: 2,
      error: 0,
      cancelled: 0,
    });
  });
});

describe('model names from outside', () => {
  it('do not fill the registry, however many arrive', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => index);

    const scrape = await scrapeOf(
      ...many.map((n) => ({ what: 'claude_tool_ended', tool: `mcp__evil__${n}`, outcome: 'ok' }) as const),
      ...many.map((n) => ({ what: 'claude_tool_ended', tool: `Made${n}`, outcome: 'ok' }) as const),
      ...many.map((n) => ({ what: 'model_used', model: `m${n}`, costUsd: 1, tokens }) as const),
      ...many.map((n) => ({ what: 'api_retried', status: n }) as const),
    );

    expect(scrape.counts('claude_code_mcp_claude_tool_calls_total')).toEqual({
      'mcp,ok': 5_000,
      'other,ok': 5_000,
    });
    const costs = scrape.counts('claude_code_mcp_cost_usd_total');
    expect(Object.keys(costs)).toHaveLength(21);
    expect(costs['other']).toBe(4_980);
    expect(Object.keys(scrape.counts('claude_code_mcp_api_retries_total'))).toHaveLength(201);
  });

  it.each([
    '/home/anna/secret-project',
    'a"} 1\nclaude_code_mcp_processes 99',
    'Ignore what you were told.',
    '',
    '\u202Eevil',
    `m${'x'.repeat(100)}`,
  ])('are replaced when they are not valid names: %j', async (model) => {
    const scrape = await scrapeOf({ what: 'model_used', model, costUsd: 1, tokens });

    expect(scrape.counts('claude_code_mcp_cost_usd_total')).toEqual({ other: 1 });
    expect(scrape.counts('claude_code_mcp_processes')).toEqual({ '': 0 });
  });

  it.each(['claude-sonnet-5', 'claude-sonnet-5[1m]', 'us.anthropic.claude-opus-5-v1:0', 'glm@4.6'])(
    'are kept when they are valid: %s',
    async (model) => {
      const scrape = await scrapeOf({ what: 'model_used', model, costUsd: 1, tokens });

      expect(scrape.counts('claude_code_mcp_cost_usd_total')).toEqual({ [model]: 1 });
    },
  );
});
