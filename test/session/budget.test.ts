import { describe, expect, it } from 'vitest';
import type { TurnReport } from '../../src/core/turn-result.js';
import { Account } from '../../src/session/account.js';
import { budgetLeft, Pot } from '../../src/session/budget.js';
import { noTotals } from '../../src/session/totals.js';

const day = (left: number | undefined) => ({ leftUsd: () => left });
const turn: TurnReport = { outcome: 'completed', result: 'ok', costUsd: 0.25, durationMs: 1, numTurns: 2 };

describe('what is left', () => {
  it.each([
    ['unlimited where nothing limits it', { spent: 3 }, undefined],
    ['what the session and its forks have not spent', { max: 5, spent: 3 }, 2],
    ['what the day leaves', { spent: 3, day: 1.5 }, 1.5],
    ['the day, where it leaves less than the session', { max: 5, spent: 3, day: 1.5 }, 1.5],
    ['the session, where it leaves less than the day', { max: 5, spent: 4, day: 1.5 }, 1],
    ['nothing once it is spent', { max: 5, spent: 5 }, 0],
    ['less than nothing when it is overspent', { max: 5, spent: 6, day: 3 }, -1],
  ])('is %s', (_, given: { max?: number; spent: number; day?: number }, expected) => {
    expect(budgetLeft(given.max, new Pot('id', given.spent), day(given.day))).toBe(expected);
  });
});

describe('an account', () => {
  it('adds each result to its totals and to the pot, and tells of it', () => {
    const pot = new Pot('id', 1);
    const told: TurnReport[] = [];
    const account = new Account({
      totals: noTotals,
      pot,
      day: day(undefined),
      onSpent: (report) => told.push(report),
    });

    account.add(turn);
    account.add(turn);

    expect(account.totals).toEqual({ turns: 4, costUsd: 0.5 });
    expect(pot.spentUsd).toBe(1.5);
    expect(account.leftUsd(2)).toBe(0.5);
    expect(told).toEqual([turn, turn]);
  });

  it('of a fork draws on the same pot, with totals of its own', () => {
    const pot = new Pot('parent');
    const settings = { totals: noTotals, pot, day: day(undefined), onSpent: () => undefined };
    const [parent, fork] = [new Account(settings), new Account(settings)];

    parent.add(turn);
    fork.add(turn);

    expect([parent.leftUsd(1), fork.leftUsd(1)]).toEqual([0.5, 0.5]);
    expect(fork.totals.costUsd).toBe(0.25);
  });

  it.each([
    [undefined, false],
    [0.01, false],
    [0, true],
    [-1, true],
  ])('with %s left of the day says whether it is spent: %s', (left, expected) => {
    const account = new Account({
      totals: noTotals,
      pot: new Pot('id'),
      day: day(left),
      onSpent: () => undefined,
    });

    expect(account.isDaySpent).toBe(expected);
  });
});
