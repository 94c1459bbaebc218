import { describe, expect, it } from 'vitest';
import { Turn, type TurnLimits } from '../../../src/session/turn/turn.js';
import { FakeClock } from '../../kit/fake-clock.js';

function createTurn(limits: Partial<TurnLimits> = {}, promptUuids: readonly string[] = ['p1']) {
  const clock = new FakeClock();
  const limitsReached: number[] = [];
  const startedAt = clock.now();
  const turn = new Turn({
    number: 3,
    promptUuids,
    limits: { activeMs: 1_000, longestMs: 10_000, ...limits },
    clock,
    onLimit: () => void limitsReached.push(clock.now() - startedAt),
  });
  return { turn, clock, limitsReached };
}

describe('the limit of a turn', () => {
  it('is reached after the active time of the turn', () => {
    const { clock, limitsReached } = createTurn();

    clock.advance(999);
    expect(limitsReached).toEqual([]);
    clock.advance(1);

    expect(limitsReached).toEqual([1_000]);
  });

  it('pauses while a request is open, then continues with the remaining time', () => {
    const { turn, clock, limitsReached } = createTurn();

    clock.advance(400);
    turn.pauseClock();
    clock.advance(5_000);
    turn.resumeClock();
    clock.advance(599);
    expect(limitsReached).toEqual([]);
    clock.advance(1);

    expect(limitsReached).toEqual([6_000]);
  });

  it('is neither paused nor resumed twice', () => {
    const { turn, clock, limitsReached } = createTurn();

    clock.advance(400);
    turn.pauseClock();
    clock.advance(100);
    turn.pauseClock();
    turn.resumeClock();
    clock.advance(100);
    turn.resumeClock();
    clock.advance(500);

    expect(limitsReached).toEqual([1_100]);
  });

  it('does not exist if none is set', () => {
    const { turn, clock, limitsReached } = createTurn({ activeMs: undefined });

    turn.pauseClock();
    turn.resumeClock();
    clock.advance(9_999);

    expect(limitsReached).toEqual([]);
  });

  it('is overridden by the longest run time, which never pauses', () => {
    const { turn, clock, limitsReached } = createTurn();

    turn.pauseClock();
    clock.advance(10_000);

    expect(limitsReached).toEqual([10_000]);
  });
});

describe('the end of a turn', () => {
  it('leaves no timer, even if the turn is resumed afterwards', () => {
    const { turn, clock, limitsReached } = createTurn();

    turn.end();
    turn.resumeClock();
    clock.advance(20_000);

    expect(limitsReached).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves no timer if the turn is paused', () => {
    const { turn, clock } = createTurn();

    turn.pauseClock();
    turn.end();

    expect(clock.pendingTimers).toBe(0);
  });

  it('resolves the promise that others await', async () => {
    const { turn } = createTurn();

    turn.end();

    await expect(turn.ended).resolves.toBeUndefined();
  });
});

it('knows its prompts, and is unsolicited if it has none', () => {
  const { turn } = createTurn({}, ['p1', 'p2']);
  const { turn: unsolicited } = createTurn({}, []);

  expect([...turn.promptUuids]).toEqual(['p1', 'p2']);
  expect([turn.isUnsolicited, unsolicited.isUnsolicited]).toEqual([false, true]);
});
