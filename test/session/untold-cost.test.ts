import { describe, expect, it } from 'vitest';
import { UntoldCost } from '../../src/session/untold-cost.js';

const nothing = { id: 'a', input: 0, output: 0, cacheRead: 0, cacheWrite: 0, chars: 0 };

describe('what answers may have cost before Claude Code has told', () => {
  it('is what the dearest model takes for their tokens', () => {
    const cost = new UntoldCost();

    cost.note({ ...nothing, input: 1_000_000, output: 1_000_000 });
    cost.note({ ...nothing, id: 'b', cacheRead: 1_000_000, cacheWrite: 1_000_000 });

    expect(cost.usd).toBeCloseTo(15 + 75 + 1.5 + 30);
  });

  it('counts an answer once, however many parts it comes in', () => {
    const cost = new UntoldCost();

    for (let part = 0; part < 3; part += 1) cost.note({ ...nothing, input: 1_000_000 });

    expect(cost.usd).toBe(15);
  });

  it('goes by the length of what was written where the count of it came too early', () => {
    const cost = new UntoldCost();

    cost.note({ ...nothing, output: 3, chars: 1_000_000 });
    cost.note({ ...nothing, output: 3, chars: 1_000_000 });

    expect(cost.usd).toBe(75);
  });

  it('is nothing once it has been told', () => {
    const cost = new UntoldCost();
    cost.note({ ...nothing, input: 1_000_000 });

    cost.clear();

    expect(cost.usd).toBe(0);
  });
});
