import { describe, expect, it } from 'vitest';
import type { TurnReport } from '../../../src/core/session/turn-result.js';
import { SessionSpending } from '../../../src/session/budget/session-spending.js';
import { allowanceFor } from '../../../src/session/budget/allowance.js';
import { Reservations } from '../../../src/state/money/reservations.js';
import { SharedBudget } from '../../../src/state/money/shared-budget.js';
import { noTotals } from '../../../src/session/budget/totals.js';

const turn: TurnReport = { outcome: 'completed', result: 'ok', costUsd: 0.25, durationMs: 1, numTurns: 2 };

function dayWith(left: number | undefined) {
  return { reservations: new Reservations(), leftUsd: () => left };
}

function potWith(spentUsd = 0): SharedBudget {
  return new SharedBudget('id', undefined, spentUsd);
}

function accountOf(sessionId: string, budget: SharedBudget, day = dayWith(undefined)) {
  const told: TurnReport[] = [];
  const account = new SessionSpending({
    sessionId,
    totals: noTotals,
    options: {},
    budget,
    dayBudget: day,
    onSpent: (report) => told.push(report),
  });
  return { account, told };
}

describe('what a turn may spend', () => {
  it.each([
    ['unlimited if nothing limits it', { spent: 3 }, undefined],
    ['what the session has not spent', { max: 5, spent: 3 }, 2],
    ['half of what is left of the day, because other sessions may start', { spent: 3, day: 3 }, 1.5],
    ['the last cent of the day', { spent: 3, day: 0.01 }, 0.01],
    ["the share of the day if that is smaller than the session's", { max: 5, spent: 3, day: 3 }, 1.5],
    ["the session's rest if that is smaller than the share of the day", { max: 5, spent: 4, day: 3 }, 1],
  ])('is %s', (_, given: { max?: number; spent: number; day?: number }, usd) => {
    const budgets = { maxBudgetUsd: given.max, budget: potWith(given.spent), dayBudget: dayWith(given.day) };

    expect(allowanceFor('a', budgets)).toMatchObject({ usd, refusal: undefined });
  });

  it.each([
    [
      'the session has spent it',
      { max: 5, spent: 5 },
      { usd: 0, refusal: { whose: 'session', isHeld: false } },
    ],
    [
      'it is spent except for a rounding error',
      { max: 0.3, spent: 0.3 - 1e-12 },
      { usd: expect.closeTo(0), refusal: { whose: 'session', isHeld: false } },
    ],
    [
      'it is overspent',
      { max: 5, spent: 6, day: 3 },
      { usd: -1, refusal: { whose: 'session', isHeld: false } },
    ],
    [
      "the day's budget is spent",
      { max: 5, spent: 1, day: 0 },
      { usd: 0, refusal: { whose: 'day', isHeld: false } },
    ],
  ])('is zero or less once %s', (_, given: { max?: number; spent: number; day?: number }, expected) => {
    const budgets = { maxBudgetUsd: given.max, budget: potWith(given.spent), dayBudget: dayWith(given.day) };

    expect(allowanceFor('a', budgets)).toMatchObject(expected);
  });
});

describe('the spending of a session', () => {
  it('adds each result to its totals and to the budget, and reports it', () => {
    const budget = potWith(1);
    const { account, told } = accountOf('a', budget);

    account.add(turn);
    account.add(turn);

    expect(account.totals).toEqual({ turns: 4, costUsd: 0.5 });
    expect(budget.spentUsd).toBe(1.5);
    expect(account.leftUsd(2)).toBe(0.5);
    expect(told).toEqual([turn, turn]);
  });

  it('uses the same budget for a fork, with separate totals', () => {
    const budget = potWith();
    const [parent, fork] = [accountOf('parent', budget).account, accountOf('fork', budget).account];

    parent.add(turn);
    fork.add(turn);

    expect([parent.leftUsd(1), fork.leftUsd(1)]).toEqual([0.25, 0.25]);
    expect(fork.totals.costUsd).toBe(0.25);
  });

  it('reserves what a turn may spend, so that no fork gets it too', () => {
    const budget = potWith();
    const [parent, fork] = [accountOf('parent', budget).account, accountOf('fork', budget).account];

    parent.begin(1);
    fork.begin(1);

    expect([parent.leftUsd(1), fork.leftUsd(1)]).toEqual([0.5, 0.25]);
  });

  it('gives a turn nothing while another turn has reserved everything, and the rest afterwards', () => {
    const budget = potWith();
    const parent = accountOf('parent', budget).account;
    parent.begin(1);
    const fork = accountOf('fork', budget).account;

    fork.begin(1);
    const meanwhile = fork.refusal;
    parent.add(turn);
    parent.end();
    fork.end();
    fork.begin(1);

    expect(meanwhile).toEqual({ whose: 'session', isHeld: true });
    expect(fork.refusal).toBeUndefined();
    expect(fork.leftUsd(1)).toBe(0.375);
  });

  it('reduces the reservation by what is spent', () => {
    const budget = potWith();
    const parent = accountOf('parent', budget).account;
    parent.begin(1);
    parent.add(turn);

    const fork = accountOf('fork', budget).account;
    fork.begin(1.5);

    // 1.5, minus 0.25 spent, minus 0.75 reserved, shared by two.
    expect(fork.leftUsd(1.5)).toBe(0.25);
  });

  it("shares the day's budget with unrelated sessions", () => {
    const day = dayWith(8);
    const accounts = ['a', 'b', 'c'].map((id) => accountOf(id, new SharedBudget(id, undefined), day).account);

    for (const account of accounts) account.begin(undefined);

    expect(accounts.map((account) => account.leftUsd(undefined))).toEqual([4, 2, 1]);
  });
});
