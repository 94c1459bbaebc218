import { expect, it } from 'vitest';
import { isoTime } from '../../../src/core/text/iso-time.js';

it('is the time as text, or the nearest that a date can hold', () => {
  expect([0, 8.64e15, 9e15, -9e15].map(isoTime)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
  ]);
});
