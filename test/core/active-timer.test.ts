import { expect, it } from 'vitest';
import { ActiveTimer } from '../../src/core/active-timer.js';
import { FakeClock } from '../kit/fake-clock.js';

it.each([86_400_000, -86_400_000])('A time limit keeps its time while the clock jumps by %d ms', (jumpMs) => {
  const clock = new FakeClock();
  let isOver = false;
  const timer = new ActiveTimer(60_000, clock, () => (isOver = true));

  clock.advance(10_000);
  clock.jump(jumpMs);
  timer.pause();
  timer.resume();
  clock.advance(49_999);
  const wasOver = isOver;
  clock.advance(1);

  expect([wasOver, isOver]).toEqual([false, true]);
});
