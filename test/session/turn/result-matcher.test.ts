import { describe, expect, it } from 'vitest';
import type { BackendSignal } from '../../../src/core/claude/backend.js';
import { Turn } from '../../../src/session/turn/turn.js';
import { ResultMatcher } from '../../../src/session/turn/result-matcher.js';
import { plainReport } from '../../kit/fake-backend.js';
import { FakeClock } from '../../kit/fake-clock.js';

function turnOf(...promptUuids: string[]): Turn {
  return new Turn({
    number: 1,
    promptUuids,
    limits: { activeMs: undefined, longestMs: 1_000 },
    clock: new FakeClock(),
    onLimit: () => undefined,
  });
}

function resultOf(promptUuids: readonly string[], unsolicited = false) {
  return { type: 'result', promptUuids, unsolicited, report: plainReport } satisfies BackendSignal;
}

function running(...promptUuids: string[]): ResultMatcher {
  const turns = new ResultMatcher();
  turns.begin(turnOf(...promptUuids));
  return turns;
}

describe('a result ends the current turn', () => {
  it('when it names one of its prompts', () => {
    expect(running('p1').isAnsweredBy(resultOf(['p1']))).toBe(true);
  });

  it('when it names a prompt that steered it', () => {
    const turns = running('p1');
    turns.steer('p2');

    expect(turns.isAnsweredBy(resultOf(['p2']))).toBe(true);
  });

  it('when it names no prompt, as failures before the first model call do', () => {
    expect(running('p1').isAnsweredBy(resultOf([]))).toBe(true);
  });

  it('when neither of them has a prompt', () => {
    expect(running().isAnsweredBy(resultOf([], true))).toBe(true);
  });
});

describe('a result does not end the current turn', () => {
  it('when it belongs to other prompts', () => {
    expect(running('p1').isAnsweredBy(resultOf(['p0']))).toBe(false);
  });

  it('when it belongs to a background task', () => {
    expect(running('p1').isAnsweredBy(resultOf([], true))).toBe(false);
  });

  it('when the turn is unsolicited and the result is not', () => {
    expect(running().isAnsweredBy(resultOf(['p1']))).toBe(false);
  });

  it('when there is no turn', () => {
    expect(new ResultMatcher().isAnsweredBy(resultOf(['p1']))).toBe(false);
  });
});

describe('the end of a turn', () => {
  it('returns nothing if all prompts were answered', async () => {
    const turns = running('p1');
    const turn = turns.current;
    turns.steer('p2');

    const tooLate = turns.end(['p1', 'p2']);

    expect(tooLate).toEqual([]);
    expect(turns.current).toBeUndefined();
    await turn?.ended;
  });

  it('returns the prompts that came too late to steer it', () => {
    const turns = running('p1');
    turns.steer('p2');
    turns.steer('p3');

    expect(turns.end(['p1'])).toEqual(['p2', 'p3']);
  });

  it('remembers those until they are answered', () => {
    const turns = running('p1');
    turns.steer('p2');
    turns.begin(turnOf(...turns.end(['p1'])));

    expect(turns.isAnsweredBy(resultOf(['p2']))).toBe(true);
    expect(turns.end(['p2'])).toEqual([]);
  });

  it('returns nothing for a process that has exited', () => {
    const turns = running('p1');
    turns.steer('p2');

    turns.forget();

    expect(turns.end([])).toEqual([]);
  });

  it('does nothing if there is no turn', () => {
    expect(new ResultMatcher().end(['p1'])).toEqual([]);
  });
});
