import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrinking } from '../../src/core/view.js';
import { fit, maxResultChars, render } from '../../src/mcp/render.js';
import { redactorOf } from '../kit/redactors.js';
import { viewText } from '../kit/view-text.js';

describe('fit', () => {
  it('gives a shrinking view the largest room that fits', () => {
    const rooms: number[] = [];

    const text = viewText(
      shrinking((room) => {
        rooms.push(room);
        return { text: '\u0000'.repeat(room) };
      }),
    );

    expect(rooms).toEqual([6_000, 4_500, 3_000, 2_000, 1_200]);
    expect(text).toHaveLength(1_200 * 6 + '{"text":""}'.length);
  });

  it('asks for one candidate when the first fits', () => {
    let candidates = 0;

    const fitted = fit(shrinking(() => ({ count: (candidates += 1) })));

    expect(fitted).toEqual({ count: 1 });
    expect(candidates).toBe(1);
  });

  it('accepts a candidate of exactly the limit, and none that is longer', () => {
    const ofLength = (length: number): object => ({ x: 'x'.repeat(length - '{"x":""}'.length) });

    expect(viewText([ofLength(maxResultChars), {}])).toHaveLength(7_500);
    expect(viewText([ofLength(maxResultChars + 1), {}])).toBe('{}');
  });

  it('takes the last candidate when none fits', () => {
    const long = 'x'.repeat(9_000);

    expect(fit([{ first: long }, { last: long }])).toEqual({ last: long });
  });

  it('can read a shrinking view more than once', () => {
    const view = shrinking((room) => ({ text: 'x'.repeat(room * 2) }));

    expect(viewText(view)).toBe(viewText(view));
  });

  it('fits any text that is cut to the room it was given', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', '\n', '\u0001', '😀'), minLength: 0 }),
        (unit) => {
          const long = unit.repeat(3_000);

          expect(viewText(shrinking((room) => ({ text: long.slice(0, room) }))).length).toBeLessThanOrEqual(
            7_500,
          );
        },
      ),
    );
  });
});

describe('render', () => {
  const noSeal = () => Promise.reject(new Error('there is no form'));
  const secret = 'PLANTED-4f5e6d7c8b9a';
  const view = [{ text: `x ${secret}`, [secret]: [secret], none: undefined, password: 'hunter22 and more' }];

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

    const answer = await render({ view: [value] }, noSeal, {
      redactor: redactorOf(secret),
      isStructured: false,
    });

    expect(answer).toEqual({ content: [{ type: 'text', text: JSON.stringify(value) }] });
  });
});
