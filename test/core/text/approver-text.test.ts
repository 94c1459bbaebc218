import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeForApprover, firstEscape, restoreBackslashes } from '../../../src/core/text/approver-text.js';
import { cutChanged, escapeHidden } from '../../../src/core/text/escape.js';
import { quoteCode } from '../../../src/inputs/quote.js';
import { createRedactor } from '../../../src/observability/redact/redact.js';

const hidden = ['\u200b', '\u2028', '\r', '\u0301', '\ud800', '\u{e0061}', '\ufe0f'];
const imitations = hidden.map((char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
const parts = ['\\', '\\u', 'u{5c}', '\\u{5c}', '\\u{5b}', '\\u{60}', '`', '⏎', '\\u{23ce}', '\n', 'a'];
const marks = ['[redacted]', '[secret of 9 characters]', '…[40 spaces]…', '…[5 empty lines]…'];
const unit = fc.constantFrom(...hidden, ...imitations, ...parts, ...marks);
const hostile = fc.array(unit, { maxLength: 6 }).map((some) => some.join(''));

/** Reads a display from left to right, as a person would. The mask of the redactor writes `\u{5b}`, and marks its own. */
function readBack(shown: string): string {
  return shown.replaceAll(/\\u\{(?!5b)([\da-f]+)\}/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

describe('a text for an approver', () => {
  it('can be read back, whatever it looks like', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readBack(escapeForApprover(text))).toBe(text);
        expect(escapeHidden(escapeForApprover(text))).toBe(escapeForApprover(text));
      }),
    );
  });

  it.each([
    ['as it is', escapeForApprover],
    ['quoted', (text: string) => quoteCode(text, 10_000)],
    ['with our marks escaped', (text: string) => escapeForApprover(createRedactor({}).maskForApprover(text))],
  ])('differs wherever the original differs, shown %s', (_how, show) => {
    fc.assert(
      fc.property(fc.uniqueArray(hostile, { minLength: 2, maxLength: 40 }), (texts) => {
        expect(new Set(texts.map(show)).size).toBe(texts.length);
      }),
    );
  });

  it.each([
    ['of a hidden character', '\\u{200b}', '\\u{5c}u{200b}'],
    ['of a mark', '\\u{301}', '\\u{5c}u{301}'],
    ['of a backslash', '\\u{5c}u{200b}', '\\u{5c}u{5c}u{200b}'],
    ['after another backslash', '\\\\u{200b}', '\\\\u{5c}u{200b}'],
  ])('has an escaped backslash before the escape %s', (_what, text, shown) => {
    expect(escapeForApprover(text)).toBe(shown);
    expect(restoreBackslashes(shown)).toBe(text);
  });

  it.each([
    String.raw`"\u2028\n\x1b\0"`,
    String.raw`/\u{1f600}|\u{41}|\u{0041}/u`,
    String.raw`'\u{200B}' '\u{0200b}' '\u{ffffff}' '\u{}' \u{200b`,
    String.raw`C:\users\{200b}`,
    'größer 😀',
  ])('does not change %s, which no escape of ours looks like', (code) => {
    expect(escapeForApprover(code)).toBe(code);
  });

  it.each(['gro\u0308\u00dfe', '\u1112\u1161\u11ab', '\u0441at', 'a\u037e'])(
    'does not change %j, whose letters look like others, but are not hidden',
    (text) => {
      expect(escapeForApprover(text)).toBe(text);
    },
  );

  it('is made at once, however many escapes it imitates', () => {
    const text = '\\u{200b}'.repeat(500_000);
    const start = performance.now();

    expect(cutChanged(text, 100, escapeForApprover)).toMatch(/^\\u\{5c\}u\{200b\}/);
    expect(escapeForApprover(text)).toHaveLength(13 * 500_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

it('the first hidden character of a text is found, but no escaped backslash', () => {
  const shown = escapeForApprover('\\u{200b} \\u{41} \u202e');

  expect(firstEscape(shown)).toBe('\\u{202e}');
  expect(firstEscape(escapeForApprover('\\u{200b} \\u{41}'))).toBeUndefined();
});
