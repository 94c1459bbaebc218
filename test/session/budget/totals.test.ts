import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { addTurn, noTotals, toTurnResult } from '../../../src/session/budget/totals.js';
import { plainReport } from '../../kit/fake-backend.js';

it('adds turns and cost', () => {
  const totals = addTurn({ turns: 2, costUsd: 0.5 }, { ...plainReport, numTurns: 3, costUsd: 0.25 });

  expect(totals).toEqual({ turns: 5, costUsd: 0.75 });
});

it('adds tokens from the first turn that reports them', () => {
  const modelUsage = {
    opus: { costUSD: 0.25, inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 3 },
    haiku: { costUSD: 0, inputTokens: 1, cacheCreationInputTokens: 4 },
  };

  const free = addTurn(noTotals, { ...plainReport, costUsd: 0 });
  const once = addTurn(free, { ...plainReport, costUsd: 0.25, modelUsage });
  const twice = addTurn(once, { ...plainReport, costUsd: 0.25, modelUsage });

  expect(free).toEqual({ turns: 1, costUsd: 0 });
  expect(twice).toEqual({
    turns: 3,
    costUsd: 0.5,
    tokens: { input: 22, output: 4, cacheRead: 6, cacheWrite: 8 },
  });
});

it('adds cents without rounding errors', () => {
  const totals = [0.0044, 0.0044, 0.0044].reduce(
    (sum, costUsd) => addTurn(sum, { ...plainReport, costUsd }),
    noTotals,
  );

  expect(totals).toEqual({ turns: 3, costUsd: 0.0132 });
});

it('never loses more than a millionth of a cent per turn', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { maxLength: 20 }), (costs) => {
      const { costUsd } = costs.reduce(
        (sum, cost) => addTurn(sum, { ...plainReport, costUsd: cost }),
        noTotals,
      );

      const exact = costs.reduce((sum, cost) => sum + cost, 0);
      expect(Math.abs(costUsd - exact)).toBeLessThanOrEqual(1e-8 * (costs.length + 1));
    }),
  );
});

it('reports a completed turn with its own cost and the session totals', () => {
  const result = toTurnResult(
    { ...plainReport, durationApiMs: 7, stopReason: 'end_turn', structuredOutput: { a: 1 } },
    4,
    { turns: 9, costUsd: 1.5 },
  );

  expect(result).toEqual({
    result: 'done',
    isError: false,
    outcome: 'completed',
    turn: 4,
    durationMs: 10,
    durationApiMs: 7,
    numTurns: 1,
    totalCostUsd: 0.01,
    sessionTotalTurns: 9,
    sessionTotalCostUsd: 1.5,
    structuredOutput: { a: 1 },
    stopReason: 'end_turn',
  });
});

it('reports a failure with its reason', () => {
  const result = toTurnResult({ ...plainReport, outcome: 'failed', errorSubtype: 'max_turns' }, 1, noTotals);

  expect(result).toMatchObject({
    isError: true,
    outcome: 'failed',
    errorSubtype: 'max_turns',
  });
});

it('does not report an interruption as an error', () => {
  const result = toTurnResult({ ...plainReport, outcome: 'interrupted' }, 1, noTotals);

  expect(result).toMatchObject({ isError: false, outcome: 'interrupted' });
  expect(result).not.toHaveProperty('errorSubtype');
});
