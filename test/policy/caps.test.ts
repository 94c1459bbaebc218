import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { maxBudgetOf, maxTurnsOf, refuseAgentsOverCap } from '../../src/policy/caps.js';
import { plainPolicy } from '../kit/policy.js';

describe('a limit', () => {
  it.each([
    ['that nobody sets does not exist', undefined, undefined, undefined],
    ["of the caller is the caller's", 4, undefined, 4],
    ["of the operator is the operator's", undefined, 5, 5],
    ["within the operator's is the caller's", 4, 5, 4],
    ["as high as the operator's is accepted", 5, 5, 5],
  ])('%s', (_, asked, cap, expected) => {
    const policy = { ...plainPolicy, maxTurns: cap, maxBudgetUsd: cap };

    expect(maxTurnsOf({ maxTurns: asked }, policy)).toBe(expected);
    expect(maxBudgetOf({ maxBudgetUsd: asked }, policy)).toBe(expected);
  });

  it('above the cap is refused, not reduced, and the error names the setting', () => {
    const policy = { ...plainPolicy, maxTurns: 5, maxBudgetUsd: 0.5 };

    expect(() => maxTurnsOf({ maxTurns: 6 }, policy)).toThrow(
      new AppError('over_cap', {
        option: 'maxTurns',
        asked: 6,
        cap: 5,
        setting: 'CLAUDE_CODE_MCP_MAX_TURNS',
      }),
    );
    expect(() => maxBudgetOf({ maxBudgetUsd: 0.51 }, policy)).toThrow(
      new AppError('over_cap', {
        option: 'maxBudgetUsd',
        asked: 0.51,
        cap: 0.5,
        setting: 'CLAUDE_CODE_MCP_MAX_BUDGET_USD',
      }),
    );
  });

  it('never exceeds the cap', () => {
    const amount = fc.double({ min: 0.01, max: 100, noNaN: true });

    fc.assert(
      fc.property(fc.option(amount, { nil: undefined }), amount, (asked, cap) => {
        fc.pre(asked === undefined || asked <= cap);

        expect(
          maxBudgetOf({ maxBudgetUsd: asked }, { ...plainPolicy, maxBudgetUsd: cap }),
        ).toBeLessThanOrEqual(cap);
      }),
    );
  });
});

describe('the limit of an agent', () => {
  const agent = { description: 'digs', prompt: 'Dig.' };
  const policy = { ...plainPolicy, maxTurns: 5 };

  it("is accepted up to the operator's cap, and may be left out", () => {
    expect(() =>
      refuseAgentsOverCap({ a: { ...agent, maxTurns: 5 }, b: agent, c: { ...agent, maxTurns: 1 } }, policy),
    ).not.toThrow();
    expect(() => refuseAgentsOverCap(undefined, policy)).not.toThrow();
    expect(() => refuseAgentsOverCap({ a: { ...agent, maxTurns: 6 } }, plainPolicy)).not.toThrow();
  });

  it('above the cap is refused, and the error names the agent', () => {
    expect(() => refuseAgentsOverCap({ b: agent, a: { ...agent, maxTurns: 6 } }, policy)).toThrow(
      new AppError('over_cap', {
        option: 'agents.a.maxTurns',
        asked: 6,
        cap: 5,
        setting: 'CLAUDE_CODE_MCP_MAX_TURNS',
      }),
    );
  });
});
