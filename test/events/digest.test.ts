import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/session/events.js';
import { digestEvents } from '../../src/events/digest.js';

const stamp = { at: 1_000, turn: 3 };

describe('digestEvents', () => {
  it('omits fields that can be derived and keeps the others', () => {
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

  it('truncates a long text to 400 characters and marks the cut', () => {
    const events: SessionEvent[] = [{ type: 'text', text: 'x'.repeat(5_000), seq: 1, ...stamp }];

    const [event] = digestEvents(events, 6_000);

    expect(String(event?.['text'])).toHaveLength(400);
    expect(event?.['text']).toContain('characters hidden');
  });

  it('shortens the texts if there are many events', () => {
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
