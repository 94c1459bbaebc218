import { expect, it } from 'vitest';
import { RateLimit } from '../../../src/http/auth/rate-limit.js';
import { FakeClock } from '../../kit/fake-clock.js';

it('allows as many as the limit at once, and says when the next one is free', () => {
  const clock = new FakeClock();
  const limit = new RateLimit({ perMinute: 3, clock });

  const atOnce = [1, 2, 3, 4].map(() => limit.take('a'));
  clock.advance(19_000);
  const tooEarly = limit.take('a');
  clock.advance(1_000);
  const inTime = limit.take('a');

  expect({ atOnce, tooEarly, inTime }).toEqual({ atOnce: [0, 0, 0, 20], tooEarly: 1, inTime: 0 });
});

it('counts each key by itself', () => {
  const limit = new RateLimit({ perMinute: 1, clock: new FakeClock() });

  expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 60, 0]);
});

it('forgets the key that was used longest ago when there are too many', () => {
  const limit = new RateLimit({ perMinute: 1, clock: new FakeClock(), maxKeys: 2 });
  for (const key of ['a', 'b', 'a', 'c']) limit.take(key);

  expect({ a: limit.take('a'), b: limit.take('b') }).toEqual({ a: 60, b: 0 });
});

it('does not let anyone wait longer because the system clock was set back', () => {
  const clock = new FakeClock();
  const limit = new RateLimit({ perMinute: 1, clock });
  limit.take('a');

  clock.jump(-3_600_000);

  expect(limit.take('a')).toBe(60);
});
