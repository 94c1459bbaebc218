import { expect, it } from 'vitest';
import { oncePerKey } from '../../src/inputs/once-per-key.js';

it('computes once per object, even if the result is undefined', () => {
  const asked: object[] = [];
  const find = oncePerKey((key: object) => void asked.push(key));
  const [one, other] = [{}, {}];

  find(one);
  find(other);
  find(one);

  expect(asked).toEqual([one, other]);
  expect(asked).toHaveLength(2);
});
