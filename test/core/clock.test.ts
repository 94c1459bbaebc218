import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.js';

it('fires after the delay, unless it was stopped', async () => {
  const fired: string[] = [];
  const stop = systemClock.after(0, () => fired.push('stopped'));

  stop();
  await new Promise<void>((resolve) => {
    systemClock.after(1, resolve);
  });

  expect(fired).toEqual([]);
});

it('does not fire at once for a delay beyond 32 bits', async () => {
  const fired: string[] = [];
  const stop = systemClock.after(2 ** 40, () => fired.push('too early'));

  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve);
  });
  stop();

  expect(fired).toEqual([]);
});

it('treats a negative delay as zero', async () => {
  await new Promise<void>((resolve) => {
    systemClock.after(-5, resolve);
  });
});
