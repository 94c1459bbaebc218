import { describe, expect, it } from 'vitest';
import { UnreportedCost } from '../../../src/session/budget/unreported-cost.js';

const million = 1_000_000;
const unknownModel = { isResumed: false, model: undefined };

describe('the estimated cost of unreported responses', () => {
  it('uses the prices of the most expensive model', () => {
    const cost = new UnreportedCost(unknownModel);

    cost.note({ id: 'a', usage: { input_tokens: million, output_tokens: million }, chars: 0 });
    cost.note({
      id: 'b',
      usage: { cache_read_input_tokens: million, cache_creation_input_tokens: million },
      chars: 0,
    });

    expect(cost.usd).toBeCloseTo(15 + 75 + 1.5 + 30);
  });

  it('counts a response once, however many parts it has', () => {
    const cost = new UnreportedCost(unknownModel);

    for (let part = 0; part < 3; part += 1)
      cost.note({ id: 'a', usage: { input_tokens: million }, chars: 0 });

    expect(cost.usd).toBe(15);
  });

  it('uses the length of the text if the token count came too early', () => {
    const cost = new UnreportedCost(unknownModel);

    cost.note({ id: 'a', usage: { output_tokens: 3 }, chars: million });
    cost.note({ id: 'a', usage: { output_tokens: 3 }, chars: million });

    expect(cost.usd).toBe(75);
  });

  it('expects another call after a kill of the server, even while a tool runs', () => {
    const cost = new UnreportedCost(unknownModel);

    cost.note({ id: 'a', usage: { input_tokens: million }, chars: 0 });
    cost.noteEvent({ type: 'tool_use', toolName: 'Bash', toolUseId: 't', summary: 'true' });

    expect(cost.highestUsd).toBe(15);
    expect(cost.afterKillUsd).toBeGreaterThan(15.5);
  });

  it('treats invalid counts as zero', () => {
    const cost = new UnreportedCost(unknownModel);

    cost.note({ id: 'a', usage: { input_tokens: '9', output_tokens: Number.NaN, speed: 4 }, chars: 0 });

    expect(cost.usd).toBe(0);
  });

  it('is zero after Claude Code reports its cost', () => {
    const cost = new UnreportedCost(unknownModel);
    cost.note({ id: 'a', usage: { input_tokens: million }, chars: 0 });

    cost.clear();

    expect(cost.usd).toBe(0);
  });
});
