import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/session/events.js';
import { digestEvents, fitText, maxResultChars } from '../../src/events/digest.js';

const stamp = { at: 1_000, turn: 3 };

describe('digestEvents', () => {
  it('leaves out what can be derived and keeps the rest', () => {
    const events: SessionEvent[] = [
      { type: 'tool_use', toolUseId: 'toolu_1', toolName: 'Bash', summary: 'Bash: ls', seq: 7, ...stamp },
      { type: 'tool_result', toolUseId: 'toolu_1', isError: false, text: 'a.txt', seq: 8, ...stamp },
    ];

    const digested = digestEvents(events, 6_000);

    expect(digested).toEqual([
      { type: 'tool_use', toolName: 'Bash', summary: 'Bash: ls', seq: 7 },
      { type: 'tool_result', isError: false, text: 'a.txt', seq: 8 },
    ]);
  });

  it('cuts a long text to 400 characters, and says so', () => {
    const events: SessionEvent[] = [{ type: 'text', text: 'x'.repeat(5_000), seq: 1, ...stamp }];

    const [event] = digestEvents(events, 6_000);

    expect(String(event?.['text'])).toHaveLength(400);
    expect(event?.['text']).toContain('characters hidden');
  });

  it('shares the room: many events have shorter texts', () => {
    const events = Array.from({ length: 50 }, (_, index): SessionEvent => {
      return { type: 'text', text: 'x'.repeat(5_000), seq: index + 1, ...stamp };
    });

    const digested = digestEvents(events, 6_000);

    expect(digested).toHaveLength(50);
    expect(digested.every(({ text }) => String(text).length <= 60)).toBe(true);
  });

  it('is empty for no events', () => {
    expect(digestEvents([], 0)).toEqual([]);
  });
});

describe('fitText', () => {
  it('gives the largest room whose rendering fits', () => {
    const rooms: number[] = [];

    const text = fitText((room) => {
      rooms.push(room);
      return { text: '\u0000'.repeat(room) };
    });

    expect(rooms).toEqual([6_000, 4_500, 3_000, 2_000, 1_200]);
    expect(text).toHaveLength(1_200 * 6 + '{"text":""}'.length);
  });

  it('renders once when the first try fits', () => {
    let renderings = 0;

    const text = fitText(() => ({ count: (renderings += 1) }));

    expect(text).toBe('{"count":1}');
  });

  it('takes a rendering of exactly the limit', () => {
    const value = 'x'.repeat(maxResultChars - 2);

    expect(fitText((room) => (room === 6_000 ? value : 'too small'))).toHaveLength(7_500);
  });

  it('fits any text that is cut to the room it was given', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', '\n', '\u0001', '😀'), minLength: 0 }),
        (unit) => {
          const long = unit.repeat(3_000);

          expect(fitText((room) => ({ text: long.slice(0, room) })).length).toBeLessThanOrEqual(7_500);
        },
      ),
    );
  });
});
