import { expect, it } from 'vitest';
import { hour } from '../bench/hour.js';

it('costs a caller no more calls and bytes than promised to supervise an hour', async () => {
  const { values } = await hour.measure();

  const over = Object.entries(hour.budget).filter(([name, { max }]) => !((values[name] ?? Infinity) <= max));

  expect(over).toEqual([]);
});
