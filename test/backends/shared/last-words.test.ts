import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LastWords } from '../../../src/backends/shared/last-words.js';
import { redactorOf } from '../../kit/redactors.js';

const secret = 'PLANTED-4f5e6d7c8b9a';

it('are what came last', () => {
  const words = new LastWords(redactorOf(secret));
  for (let line = 0; line < 20_000; line += 1) words.add(`line ${line}\n`);

  expect(words.read()).toMatch(/line 19998\nline 19999$/);
  expect(words.read().length).toBeLessThanOrEqual(4_000);
});

it('hold no secret and no piece of one, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 5_000 }), (before, after) => {
      const words = new LastWords(redactorOf(secret));
      words.add('.'.repeat(before));
      words.add(`${secret.repeat(3)} `);
      words.add('.'.repeat(after));

      expect(words.read()).not.toMatch(/PLAN|9a/);
    }),
  );
});
