import { expect, it } from 'vitest';
import { allTokens, usageByModel } from '../../../src/core/session/usage.js';

const haiku = {
  inputTokens: 10,
  outputTokens: 2,
  cacheReadInputTokens: 300,
  cacheCreationInputTokens: 40,
  costUSD: 0.1,
};

it('returns the usage of each model', () => {
  const usage = usageByModel(0.3, { haiku, opus: { ...haiku, costUSD: 0.2 } });

  const tokens = { input: 10, output: 2, cacheRead: 300, cacheWrite: 40 };
  expect(usage).toEqual([
    { model: 'haiku', costUsd: 0.1, tokens },
    { model: 'opus', costUsd: 0.2, tokens },
  ]);
  expect(allTokens(tokens)).toBe(352);
});

it.each([
  ['totals of several turns', { haiku }, 0.05],
  ['nothing', undefined, 0.05],
  ['something other than an object', ['haiku'], 0.05],
])('uses only the cost when the report contains %s', (_what, modelUsage, costUsd) => {
  expect(usageByModel(costUsd, modelUsage)).toEqual([
    { model: 'unknown', costUsd, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  ]);
});

it('returns nothing for a turn without usage', () => {
  expect(usageByModel(0, undefined)).toEqual([]);
});

it.each([-1, Number.NaN, Infinity, '7', null])('treats %s as zero', (odd) => {
  const [usage] = usageByModel(0.1, { haiku: { ...haiku, inputTokens: odd, outputTokens: odd } });
  const [cost] = usageByModel(odd as number, undefined);

  expect(usage?.tokens).toEqual({ input: 0, output: 0, cacheRead: 300, cacheWrite: 40 });
  expect(cost?.costUsd ?? 0).toBe(0);
});
