import { describe, expect, it } from 'vitest';
import type { BackendSignal } from '../../../src/core/claude/backend.js';
import { ResultMapper } from '../../../src/backends/shared/map-result.js';

/** As in facts/agent-sdk.md 1.2. */
const ok = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  result: 'hello world ok',
  stop_reason: 'end_turn',
  terminal_reason: 'completed',
  session_id: 's1',
  total_cost_usd: 0.0044,
  usage: { input_tokens: 1_000, output_tokens: 20 },
  modelUsage: { 'claude-opus-5-5': { inputTokens: 1_000, outputTokens: 20, costUSD: 0.0044 } },
  permission_denials: [],
  duration_ms: 550,
  duration_api_ms: 71,
  api_error_status: null,
  user_message_uuid: 'p1',
  user_message_uuids: ['p1'],
  result_index: 0,
};

type Result = Extract<BackendSignal, { type: 'result' }>;

const newMapper = (): ResultMapper => new ResultMapper({ isNewConversation: true });

function map(message: object, mapper = newMapper()): Result {
  const signal = mapper.map({ ...ok, ...message });
  if (signal.type !== 'result') throw new Error('not a result');
  return signal;
}

describe('a result', () => {
  it('ends the prompts that it names', () => {
    expect(map({})).toEqual({
      type: 'result',
      promptUuids: ['p1'],
      unsolicited: false,
      report: {
        result: 'hello world ok',
        outcome: 'completed',
        durationMs: 550,
        durationApiMs: 71,
        numTurns: 1,
        costUsd: 0.0044,
        stopReason: 'end_turn',
        usage: ok.usage,
        modelUsage: ok.modelUsage,
      },
    });
  });

  it('of a background task is unsolicited', () => {
    const signal = map({ user_message_uuids: undefined, origin: { kind: 'task-notification' } });

    expect(signal).toMatchObject({ promptUuids: [], unsolicited: true });
  });

  it('that names prompts belongs to them, whatever its origin', () => {
    expect(map({ origin: { kind: 'human' } })).toMatchObject({ promptUuids: ['p1'], unsolicited: false });
  });

  it('without prompts or origin is unsolicited, because a success names the prompt that it answers', () => {
    expect(map({ user_message_uuids: undefined })).toMatchObject({ promptUuids: [], unsolicited: true });
  });

  it('without prompts or origin is not unsolicited if it failed, because it may be a failure of ours', () => {
    const signal = map({ user_message_uuids: undefined, is_error: true });

    expect(signal).toMatchObject({ promptUuids: [], unsolicited: false });
  });

  it('contains structured output, even if it is null', () => {
    expect(map({ structured_output: { a: 1 } }).report.structuredOutput).toEqual({ a: 1 });
    expect(map({ structured_output: null }).report).toHaveProperty('structuredOutput', null);
    expect(map({}).report).not.toHaveProperty('structuredOutput');
  });

  it('contains denials, if any', () => {
    const permission_denials = [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }];

    expect(map({ permission_denials }).report.permissionDenials).toEqual(permission_denials);
    expect(map({}).report).not.toHaveProperty('permissionDenials');
  });

  it('without any fields is an empty result', () => {
    expect(newMapper().map({ type: 'result' })).toEqual({
      type: 'result',
      promptUuids: [],
      unsolicited: true,
      report: { result: '', outcome: 'completed', durationMs: 0, numTurns: 0, costUsd: 0 },
    });
  });
});

describe('the outcome', () => {
  it.each([
    ['completed', { subtype: 'success', is_error: false, terminal_reason: 'completed' }, undefined],
    ['completed', { subtype: 'success', is_error: false, terminal_reason: undefined }, undefined],
    ['completed', { subtype: 'success', is_error: false, terminal_reason: 'tool_deferred' }, undefined],
    [
      'interrupted',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' },
      undefined,
    ],
    [
      'interrupted',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
      undefined,
    ],
    ['failed', { subtype: 'success', is_error: true, terminal_reason: 'api_error' }, 'other'],
    ['failed', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }, 'max_turns'],
    [
      'failed',
      { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' },
      'max_budget',
    ],
    ['failed', { subtype: 'success', is_error: true, terminal_reason: 'prompt_too_long' }, 'prompt_too_long'],
    ['failed', { is_error: true, terminal_reason: 'structured_output_retry_exhausted' }, 'structured_output'],
    ['failed', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'completed' }, 'other'],
  ])('is %s for %j', (outcome, message, errorSubtype) => {
    const { report } = map(message);

    expect([report.outcome, report.errorSubtype]).toEqual([outcome, errorSubtype]);
  });
});

describe('the text', () => {
  const interrupted = {
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_streaming',
    result: undefined,
    errors: ['[ede_diagnostic] result_type=user last_content_type=n/a'],
  };

  it('of an interruption hides the diagnostic of Claude Code', () => {
    expect(map(interrupted).report.result).toBe('Interrupted.');
  });

  it("of a failure is Claude Code's own message", () => {
    const message = {
      is_error: true,
      terminal_reason: 'max_turns',
      result: undefined,
      errors: ['Reached maximum number of turns (1)', '[ede_diagnostic] x', 7],
    };

    expect(map(message).report.result).toBe('Reached maximum number of turns (1)');
  });

  it('is the result, if one exists', () => {
    expect(map({ ...interrupted, result: 'half an answer' }).report.result).toBe('half an answer');
  });
});

describe('the cost of a turn', () => {
  const delta = (...costs: number[]) =>
    Object.fromEntries(costs.map((costUSD, index) => [`model-${index}`, { costUSD, inputTokens: 1 }]));

  it('is the sum over the models since the last result', () => {
    const { report } = map({ total_cost_usd: 9, model_usage_since_last_result: delta(0.5, 0.25) });

    expect(report.costUsd).toBe(0.75);
  });

  it('is zero when no model was used', () => {
    expect(map({ total_cost_usd: 9, model_usage_since_last_result: {} }).report.costUsd).toBe(0);
  });

  it('is otherwise the difference from the previous result', () => {
    const mapper = newMapper();
    const costs = [0.25, 0.75, 0.75].map((total_cost_usd) => map({ total_cost_usd }, mapper).report.costUsd);

    expect(costs).toEqual([0.25, 0.5, 0]);
  });

  it('is never negative when Claude Code restarts its count', () => {
    const mapper = newMapper();
    map({ total_cost_usd: 5 }, mapper);

    expect(map({ total_cost_usd: 0.5 }, mapper).report.costUsd).toBeGreaterThanOrEqual(0);
    expect(map({ total_cost_usd: 0.75 }, mapper).report.costUsd).toBe(0.25);
  });

  // /clear sets the total to 0; the API time of the same result is counted this way.
  it('is the new total when Claude Code restarts its count', () => {
    const mapper = newMapper();
    map({ total_cost_usd: 5 }, mapper);

    expect(map({ total_cost_usd: 0.5 }, mapper).report.costUsd).toBe(0.5);
  });

  // A resumed process begins with the total of its past, which was paid in another one.
  it('excludes the past of a resumed conversation', () => {
    const mapper = new ResultMapper({ isNewConversation: false });

    expect(map({ total_cost_usd: 5 }, mapper).report.costUsd).toBe(0);
    expect(map({ total_cost_usd: 5.5 }, mapper).report.costUsd).toBe(0.5);
  });

  it('follows the total even when some results list the models', () => {
    const mapper = newMapper();
    map({ total_cost_usd: 1, model_usage_since_last_result: delta(1) }, mapper);

    expect(map({ total_cost_usd: 1.5 }, mapper).report.costUsd).toBe(0.5);
  });

  it('ignores malformed entries', () => {
    const model_usage_since_last_result = { a: { costUSD: 0.5 }, b: null, c: { costUSD: 'x' } };

    expect(map({ model_usage_since_last_result }).report.costUsd).toBe(0.5);
  });
});

describe('the models used', () => {
  it('are those of this turn, if Claude Code lists them separately', () => {
    const usage = { haiku: { costUSD: 0.5 } };

    expect(map({ model_usage_since_last_result: usage }).report.modelUsage).toEqual(usage);
    expect(map({}).report.modelUsage).toEqual(ok.modelUsage);
  });
});

describe('the API time of a turn', () => {
  const timesOf = (mapper: ResultMapper, ...sums: number[]) =>
    sums.map((duration_api_ms) => map({ duration_api_ms }, mapper).report.durationApiMs);

  it('is the difference from the previous result', () => {
    expect(timesOf(newMapper(), 71, 100, 100)).toEqual([71, 29, 0]);
  });

  it('is the new sum when Claude Code restarts its count', () => {
    expect(timesOf(newMapper(), 71, 20)).toEqual([71, 20]);
  });

  it('is unknown for the first result of a resumed conversation', () => {
    expect(timesOf(new ResultMapper({ isNewConversation: false }), 900, 950)).toEqual([undefined, 50]);
  });
});

describe('the error code of the assistant', () => {
  it('explains the next result only', () => {
    const mapper = newMapper();
    mapper.noteAssistant({ error: 'rate_limit' });
    mapper.noteAssistant({});

    const first = map({ is_error: true }, mapper);
    const second = map({ is_error: true }, mapper);

    expect([first, second].map(({ report }) => report.errorSubtype)).toEqual(['rate_limited', 'other']);
  });

  it('is ignored when the turn succeeds', () => {
    const mapper = newMapper();
    mapper.noteAssistant({ error: 'overloaded' });

    expect(map({}, mapper).report).not.toHaveProperty('errorSubtype');
  });
});

it('counts a response with several calls as one model turn', () => {
  const mapper = newMapper();
  mapper.noteAssistant({ message: { id: 'm1' } });
  mapper.noteAssistant({ message: { id: 'm1' } });
  mapper.noteAssistant({ message: { id: 'm2' } });

  expect(map({ num_turns: 3 }, mapper).report.numTurns).toBe(2);
});

describe('the model turns of an interrupted turn', () => {
  const interruptedTurns = (mapper: ResultMapper): number =>
    map({ is_error: true, terminal_reason: 'aborted_streaming', num_turns: 2 }, mapper).report.numTurns;

  it('are none without a response', () => {
    expect(interruptedTurns(newMapper())).toBe(0);
  });

  it('are its responses: each counts once, those to subagents do not, and each turn begins anew', () => {
    const mapper = newMapper();
    mapper.noteAssistant({ message: { id: 'm1' } });
    mapper.noteAssistant({ message: { id: 'm1' } });
    mapper.noteAssistant({ message: { id: 's1' }, parent_tool_use_id: 'toolu_1' });

    expect([interruptedTurns(mapper), interruptedTurns(mapper)]).toEqual([1, 0]);
  });
});
