import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairTurns } from '../../../src/http/auth/fair-turns.js';

/** Who has had a turn, in order. */
function scene() {
  const turns = new FairTurns();
  const begun: string[] = [];
  return {
    begun,
    ask: (sender: string, name = sender) => turns.next(sender).then(() => void begun.push(name)),
  };
}

describe('turns', () => {
  it('come at once while nobody else asks', async () => {
    const { ask, begun } = scene();

    await ask('alice');
    await immediate();
    const asked = ask('bob');
    await Promise.resolve().then(() => undefined);

    expect(begun).toEqual(['alice', 'bob']);
    await asked;
  });

  it('come one at a time, so that the service can do other things in between', async () => {
    const { ask, begun } = scene();
    const asked = Promise.all(['a', 'b', 'c'].map((name) => ask('alice', name)));

    const counts: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      await Promise.resolve().then(() => undefined);
      counts.push(begun.length);
      await immediate();
    }
    await asked;

    expect({ counts, begun }).toEqual({ counts: [1, 2, 3], begun: ['a', 'b', 'c'] });
  });

  it('are taken in rotation: a sender that asks often waits for the others', async () => {
    const { ask, begun } = scene();

    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => ask('alice', name)),
      ask('bob'),
      ...['c1', 'c2'].map((name) => ask('carol', name)),
    ]);

    expect(begun).toEqual(['a1', 'a2', 'bob', 'c1', 'a3', 'c2', 'a4']);
  });
});
