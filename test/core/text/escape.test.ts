import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMiddle, escapeHidden, firstLine, visibleJson } from '../../../src/core/text/escape.js';

const note = / …\[(\d+) characters hidden\]… /;
/** With the u flag, half a surrogate pair counts as a character. */
const loneSurrogate = /\p{Surrogate}/u;

/** Long enough to be cut, with surrogate pairs everywhere, and without the cut mark itself. */
const longText = fc.string({
  unit: fc.constantFrom('a', 'é', '"', '\n', '\u0000', '😀', '𝒜'),
  minLength: 61,
  maxLength: 400,
});
const anyMax = fc.integer({ min: 60, max: 300 });

describe('cutMiddle', () => {
  it('does not change a text that is short enough', () => {
    const text = 'x'.repeat(60);

    expect(cutMiddle(text, 60)).toBe(text);
  });

  it('shows head, tail and how many characters are hidden between them', () => {
    const text = `${'a'.repeat(500)}${'z'.repeat(500)}`;

    const cut = cutMiddle(text, 88);

    expect(cut).toBe(`${'a'.repeat(40)} …[940 characters hidden]… ${'z'.repeat(20)}`);
  });

  it('never exceeds the requested length', () => {
    fc.assert(
      fc.property(longText, anyMax, (text, max) => {
        expect(cutMiddle(text, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('keeps head and tail of the text and counts the hidden characters exactly', () => {
    fc.assert(
      fc.property(longText, anyMax, (text, max) => {
        fc.pre(text.length > max);

        const [head = '', hidden = '', tail = ''] = cutMiddle(text, max).split(note);

        expect(head).not.toBe('');
        expect(tail).not.toBe('');
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(Number(hidden)).toBe(text.length - head.length - tail.length);
      }),
    );
  });

  it('never splits a surrogate pair at any length', () => {
    fc.assert(
      fc.property(longText, fc.nat(300), (text, max) => {
        expect(cutMiddle(text, max)).not.toMatch(loneSurrogate);
      }),
    );
  });

  it('says how many characters are hidden even without room for text', () => {
    expect(cutMiddle('x'.repeat(1_000), 0)).toBe(' …[1000 characters hidden]… ');
  });
});

const mixedText = fc.string({
  unit: fc.constantFrom('a', '\n', '\t', '😀', '\u0000', '\r', '\u200b', '\u202e', '\ufeff', '\u{e0041}'),
  maxLength: 60,
});

describe('escapeHidden', () => {
  it.each([
    ['a right-to-left override', 'rm \u202etxt.exe', 'rm \\u{202e}txt.exe'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['an Arabic letter mark', '\u061c', '\\u{61c}'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['a byte order mark', '\ufeffls', '\\u{feff}ls'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['an escape sequence', '\u001b[2Kls', '\\u{1b}[2Kls'],
    ['a carriage return', 'rm -rf x\rls', 'rm -rf x\\u{d}ls'],
    ['a backspace', 'a\u0008b', 'a\\u{8}b'],
    ['a C1 control', '\u009b', '\\u{9b}'],
    ['tag characters', '\u{e0061}', '\\u{e0061}'],
  ])('makes %s visible', (_, text, shown) => {
    expect(escapeHidden(text)).toBe(shown);
  });

  it.each(['\u00a0', '\u2003', '\u202f', '\u2800', '\u3000', '\u3164', '\ue000', '\uffff', '\ud800'])(
    'shows the blank or empty character %j',
    (char) => {
      expect(escapeHidden(`rm${char}x`)).toBe(`rm\\u{${char.charCodeAt(0).toString(16)}}x`);
    },
  );

  it.each(['line\nline', 'a\tb', 'größer 😀 日本語', 'C:\\u{200b}'])('does not change %j', (text) => {
    expect(escapeHidden(text)).toBe(text);
  });

  it('escapes every control, bidirectional and zero-width character except newline and tab', () => {
    const mustGo = /[\p{Cc}\p{Bidi_Control}\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/u;
    const hidden = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
      (char) => mustGo.test(char) && char !== '\n' && char !== '\t',
    );

    const left = hidden.filter((char) => escapeHidden(`a${char}b`).includes(char));

    expect(hidden.length).toBeGreaterThan(80);
    expect(left).toEqual([]);
  });

  it('is reversible: undoing the escapes restores the text', () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const undone = escapeHidden(text).replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );

        expect(undone).toBe(text);
      }),
    );
  });

  // All of these are Default_Ignorable_Code_Point or render as a blank; E0100 to E01EF can carry hidden bytes.
  it.each(['34f', '115f', '1160', '17b4', '180b', '3164', 'ffa0', '1bca0', '1d173', 'e0100', 'e01ef'])(
    'makes U+%s visible',
    (code) => {
      const char = String.fromCodePoint(Number.parseInt(code, 16));

      expect(escapeHidden(char)).toBe(`\\u{${code}}`);
    },
  );
});

describe('firstLine', () => {
  it('returns the first line that is not blank', () => {
    expect(firstLine('\n\n  do it\nthen that', 80)).toBe('do it');
  });

  it('truncates to the requested length, keeps pairs intact, and marks the cut', () => {
    expect(firstLine('abcdef', 4)).toBe('abc…');
    expect(firstLine('ab😀cd', 4)).toBe('ab…');
    expect(firstLine('abcd', 4)).toBe('abcd');
  });
});

it('escapes marks that would cover the lines around them, but not those of ordinary words', () => {
  const mark = '\u0301';

  expect(escapeHidden(`a${mark.repeat(5)}b`)).toBe(`a${mark.repeat(3)}\\u{301}\\u{301}b`);
  for (const word of ['Việt Nam', 'Vie\u0323\u0302t', 'ภาษาไทย', 'हिन्दी', 'שָׁלוֹם'])
    expect(escapeHidden(word)).toBe(word);
});

it('shows every character of a JSON text to an approver, and keeps the JSON as it is', () => {
  const units = fc.constantFrom(
    'a',
    '\\',
    '"',
    '\n',
    '\u200d',
    '\u3000',
    '\u0301',
    '😀',
    '\u{e0100}',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 60 }), (text) => {
      const shown = visibleJson({ text });

      expect(JSON.parse(shown)).toEqual({ text });
      expect(escapeHidden(shown)).toBe(shown);
    }),
  );
});
