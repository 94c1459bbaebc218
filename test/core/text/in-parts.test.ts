import { array, assert, asyncProperty, constantFrom, integer, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeForApprover } from '../../../src/core/text/approver-text.js';
import { escapeHidden } from '../../../src/core/text/escape.js';
import { allChangedInParts, changedInParts } from '../../../src/core/text/in-parts.js';
import { mapTexts } from '../../../src/core/text/map-texts.js';

/** Turns that come at once, and are counted. */
function countedTurns() {
  const counted = { turns: 0, turn: async (): Promise<void> => void (counted.turns += 1) };
  return counted;
}

/** Characters on which the text before them bears, or that are two units long. */
const unit = constantFrom(
  'a',
  '\n',
  '\u200b',
  '\u0301',
  '\u{1d165}',
  '\u{1f600}',
  '\ud800',
  '\udc00',
  '\ufe0f',
  '\\u{200b}',
);
/** Around the place where the first part ends. */
const longText = tuple(
  integer({ min: 19_980, max: 20_003 }),
  array(unit, { minLength: 30, maxLength: 60 }),
).map(([count, units]) => 'x'.repeat(count) + units.join(''));

describe('a long text', () => {
  it.each([escapeHidden, escapeForApprover])(
    'looks the same when it is made visible in parts',
    async (change) => {
      await assert(
        asyncProperty(longText, async (text) => {
          expect(await changedInParts(text, change, async () => undefined)).toBe(change(text));
        }),
      );
    },
  );

  it('is never parted within what reads like an escape', async () => {
    const parts: string[] = [];
    const note = (part: string): string => {
      parts.push(part);
      return part;
    };
    for (let shift = 0; shift < 12; shift += 1)
      await changedInParts(
        `${'x'.repeat(19_995 - shift)}\\u{2028}yyyyyyyyyyyyy`,
        note,
        async () => undefined,
      );

    expect(parts.filter((part) => /\\u?\{?[\da-f]*$/.test(part) || /^\{|^u\{/.test(part))).toEqual([]);
  });

  it.each([
    ['letters', 'a', 49],
    ['invisible characters', 'a\u200b', 49],
    ['characters of two units', '\u{1f600}', 49],
    ['marks, which bear on one another', '\u0301', 0],
  ])('of %s is made visible with other work between its parts', async (_what, characters, turns) => {
    const counted = countedTurns();

    await changedInParts(characters.repeat(1_000_000 / characters.length), escapeHidden, counted.turn);

    expect(counted.turns).toBe(turns);
  });

  it('is made visible with the keys and values around it', async () => {
    const input = { '\u200b': ['\u200b', { text: `\u200b${'a'.repeat(30_000)}` }], count: 1, none: null };

    expect(await allChangedInParts(input, escapeHidden, async () => undefined)).toEqual(
      mapTexts(input, escapeHidden),
    );
  });
});
