import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { always, shrinking, type View } from '../../src/core/view.js';
import { fit, maxResultChars, render } from '../../src/mcp/render.js';
import { redactorOf } from '../kit/redactors.js';
import { carriedChars, viewText } from '../kit/view-text.js';

/** Texts that JSON makes two to six times longer, and characters that must not be cut in half. */
const codeLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'const x = "a\\n";\n',
        '\t\t}\n',
        'it\'s "quoted"',
        '\u0001',
        '😀',
        'é',
        '\u202e',
        '{}',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => `${parts.join('')};`);

describe('fit', () => {
  it('gives a shrinking view the largest room that fits', () => {
    const text = viewText(shrinking((room) => ({ text: '\u0000'.repeat(room) })));

    // Each of these characters is six in our JSON, and seven in the JSON of the client.
    expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
    expect(carriedChars(text)).toBeGreaterThan(maxResultChars - 7 * 45);
  });

  it('asks for one candidate when the first fits', () => {
    let candidates = 0;

    const fitted = fit(shrinking(() => ({ count: (candidates += 1) })));

    expect(fitted).toEqual({ count: 1 });
    expect(candidates).toBe(1);
  });

  it('counts an answer as the JSON string in which a client carries it', () => {
    const oneOf = (...candidates: readonly object[]): View => {
      return (fits) => candidates.find((candidate) => fits(candidate)) ?? {};
    };
    // Two quotes around the whole, and a backslash before each of the four inside.
    const ofLength = (length: number): object => ({ x: 'x'.repeat(length - '"{\\"x\\":\\"\\"}"'.length) });

    expect(carriedChars(viewText(oneOf(ofLength(maxResultChars))))).toBe(7_500);
    expect(viewText(oneOf(ofLength(maxResultChars + 1)))).toBe('{}');
  });

  it('takes the version without room when none fits', () => {
    const long = 'x'.repeat(9_000);

    expect(fit(shrinking((room) => ({ room, long })))).toEqual({ room: 0, long });
  });

  it('can read a shrinking view more than once', () => {
    const view = shrinking((room) => ({ text: 'x'.repeat(room * 2) }));

    expect(viewText(view)).toBe(viewText(view));
  });

  it('fits any text that is cut to the room it was given, and leaves little room unused', () => {
    fc.assert(
      fc.property(codeLike, (unit) => {
        const long = unit.repeat(Math.ceil(10_000 / unit.length));

        const text = viewText(shrinking((room) => ({ text: long.slice(0, room) })));

        expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
        expect(carriedChars(text)).toBeGreaterThan(maxResultChars * 0.9);
      }),
    );
  });
});

describe('render', () => {
  const noSeal = () => Promise.reject(new Error('there is no form'));
  const secret = 'PLANTED-4f5e6d7c8b9a';
  const view = always({
    text: `x ${secret}`,
    [secret]: [secret],
    none: undefined,
    password: 'hunter22 and more',
  });

  it('redacts every text and key, and stays JSON', async () => {
    const answer = await render({ view }, noSeal, { redactor: redactorOf(secret), isStructured: false });

    expect(answer).toEqual({
      content: [
        {
          type: 'text',
          text: '{"text":"x [redacted]","[redacted]":["[redacted]"],"password":"[redacted] and more"}',
        },
      ],
    });
  });

  it('makes the object from the same redacted value, without keys that are undefined', async () => {
    const answer = await render({ view }, noSeal, { redactor: redactorOf(secret), isStructured: true });

    const object = { text: 'x [redacted]', '[redacted]': ['[redacted]'], password: '[redacted] and more' };
    expect(answer).toStrictEqual({
      content: [{ type: 'text', text: JSON.stringify(object) }],
      structuredContent: object,
    });
  });

  it('leaves a value without secrets as it is', async () => {
    const value = { list: [1, null, { deep: true }], text: '"' };

    const answer = await render({ view: always(value) }, noSeal, {
      redactor: redactorOf(secret),
      isStructured: false,
    });

    expect(answer).toEqual({ content: [{ type: 'text', text: JSON.stringify(value) }] });
  });
});
