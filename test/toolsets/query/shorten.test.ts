import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten, shortenTo } from '../../../src/toolsets/query/shorten.js';

const assistant = {
  type: 'assistant',
  message: {
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'text', text: 'x'.repeat(500) }],
    usage: { a: 1 },
  },
  parent_tool_use_id: null,
  uuid: 'u1',
};

describe('a message that is shortened', () => {
  it('is left as it is where it is short', () => {
    const message = { type: 'user', content: ['a', 1, null, true] };

    expect(shorten(message, { textChars: 10, listItems: 10 })).toEqual({ message, isShortened: false });
  });

  it('loses the middle of its texts and the end of its lists, and says so', () => {
    const { message, isShortened } = shorten(
      { type: 'x', text: 'y'.repeat(100), list: [1, 2, 3] },
      { textChars: 50, listItems: 2 },
    );

    expect(message).toEqual({
      type: 'x',
      text: expect.stringMatching(/^y+ …\[\d+ characters hidden\]… y+$/),
      list: [1, 2, '…[1 more]'],
    });
    expect(isShortened).toBe(true);
  });

  it('is what it says and nothing else, when it is bare', () => {
    expect(shorten(assistant, { textChars: 1_000, listItems: 5, isBare: true }).message).toEqual({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(500) }] },
      uuid: 'u1',
    });
  });

  it('is notified whole up to 16,000 characters, and as long as possible beyond', () => {
    const ofText = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
    const whole = ofText('x'.repeat(15_000));
    const longer = ofText('x'.repeat(30_000));

    expect(shortenTo(whole, 16_000).shown).toEqual({ message: whole, isShortened: false });
    expect(shortenTo(longer, 16_000).chars).toBeGreaterThan(12_000);
  });

  it('loses the last keys of a part with very many, but never its own', () => {
    const input = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index]));
    const message = { ...assistant, message: { content: [{ type: 'tool_use', name: 'Count', input }] } };

    const { shown, chars } = shortenTo(message, 16_000);

    expect(shown).toMatchObject({
      message: {
        type: 'assistant',
        uuid: 'u1',
        message: { content: [{ name: 'Count', input: { key0: 0, '…': '[4000 more]' } }] },
      },
      isShortened: true,
    });
    expect(chars).toBeLessThanOrEqual(16_000);
  });

  it('fits, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 10, max: 500 }), (message, maxChars) => {
        const { shown, chars } = shortenTo(message, maxChars);

        expect(JSON.stringify(shown.message).length).toBeLessThanOrEqual(maxChars);
        expect(chars).toBeLessThanOrEqual(maxChars);
      }),
    );
  });
});
