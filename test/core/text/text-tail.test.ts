import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextTail } from '../../../src/core/text/text-tail.js';
import { redactorOf } from '../../kit/redactors.js';

const secret = 'PLANTED-4f5e6d7c8b9a';
const redactor = redactorOf(secret);
const redact = (text: string): string => redactor.redact(text);

it('keeps the end of the text', () => {
  const tail = new TextTail(redact, 20_000);
  for (let line = 0; line < 20_000; line += 1) tail.add(`line ${line}\n`);

  expect(tail.read()).toMatch(/\nline 19998\nline 19999\n$/);
  expect(tail.read().length).toBeGreaterThan(19_000);
  expect(tail.read().length).toBeLessThanOrEqual(40_000);
});

it('omits the word that is still being written', () => {
  const tail = new TextTail(redact, 4_000);
  tail.add('the end of it');

  expect(tail.readWholeWords()).toBe('the end of ');
  tail.add(' ');
  expect(tail.readWholeWords()).toBe('the end of it ');
  expect(tail.read()).toBe('the end of it ');
});

it('is empty and uncut after clear', () => {
  const tail = new TextTail(redact, 10);
  tail.add('x'.repeat(30));

  tail.clear();

  expect(tail.isEmpty).toBe(true);
  tail.add('first word');
  expect(tail.read()).toBe('first word');
});

it('contains no secret or part of one, wherever the text is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 5_000 }), (before, after) => {
      const tail = new TextTail(redact, 20_000);
      tail.add('.'.repeat(before));
      tail.add(`${secret.repeat(3)} `);
      tail.add('.'.repeat(after));

      expect(tail.read().slice(-4_000)).not.toMatch(/PLAN|9a/);
      expect(tail.readWholeWords().slice(-4_000)).not.toMatch(/PLAN|9a/);
    }),
  );
});

it('reads whole words without part of a secret, wherever the pieces are split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a word ', secret, `\n${secret} `, 'x'.repeat(300)), { maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (parts, size) => {
        const tail = new TextTail(redact, 4_000);
        const text = parts.join(' ');
        for (let index = 0; index < text.length; index += size) {
          tail.add(text.slice(index, index + size));
          expect(tail.readWholeWords()).not.toMatch(/PLAN|9a/);
        }
      },
    ),
    { numRuns: 30 },
  );
});
