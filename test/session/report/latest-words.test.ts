import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LatestWords } from '../../../src/session/report/latest-words.js';
import { redactorOf } from '../../kit/redactors.js';

const secret = 'PLANTED-4f5e6d7c8b9a';

it('shows whole words, and the last eighty characters of them', () => {
  const words = new LatestWords(redactorOf(secret));
  words.add(`${'a '.repeat(100)}the end of it`);

  expect(words.read()).toMatch(/ a the end of $/);
  expect(words.read()).toHaveLength(80);
});

it('shows no secret and no piece of one, wherever the pieces break', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a word ', secret, `\n${secret} `, 'x'.repeat(300)), { maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (parts, size) => {
        const words = new LatestWords(redactorOf(secret));
        const text = parts.join(' ');
        for (let index = 0; index < text.length; index += size) {
          words.add(text.slice(index, index + size));
          expect(words.read()).not.toMatch(/PLAN|9a/);
        }
      },
    ),
    { numRuns: 30 },
  );
});
