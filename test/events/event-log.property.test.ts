import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPinned, type EventBody, type SessionEvent } from '../../src/core/session/events.js';
import { EventLog, type LogLimits } from '../../src/events/event-log.js';

const words = fc.integer({ min: 0, max: 300 }).map((length) => 'x'.repeat(length));
const anyBody: fc.Arbitrary<EventBody> = fc.oneof(
  { weight: 4, arbitrary: words.map((text): EventBody => ({ type: 'text', text })) },
  { weight: 2, arbitrary: words.map((text): EventBody => ({ type: 'status', text })) },
  words.map((text): EventBody => ({ type: 'result', outcome: 'completed', text })),
  words.map((text): EventBody => ({ type: 'error', errorSubtype: 'other', text })),
  fc.constant<EventBody>({
    type: 'input_resolved',
    requestId: 'r',
    decision: 'deny',
    answeredBy: 'timeout',
  }),
);
const anyLimits: fc.Arbitrary<LogLimits> = fc.record({
  maxEvents: fc.integer({ min: 1, max: 20 }),
  maxBytes: fc.integer({ min: 400, max: 8_000 }),
});

interface Run {
  readonly log: EventLog;
  readonly limits: LogLimits;
  /** The reference: all events ever appended. */
  readonly all: readonly SessionEvent[];
  readonly left: readonly SessionEvent[];
}

/** Checks after every append, so that no intermediate state is missed. */
function holdsAlways(check: (run: Run) => void, numRuns = 100): void {
  fc.assert(
    fc.property(anyLimits, fc.array(anyBody, { maxLength: 60 }), (limits, bodies) => {
      const log = new EventLog(limits);
      const all: SessionEvent[] = [];
      for (const [index, body] of bodies.entries()) {
        all.push({ ...body, seq: index + 1, at: index, turn: 1 });
        log.append({ ...body }, index, 1);
        check({ log, limits, all, left: log.read(0).events });
      }
    }),
    { numRuns },
  );
}

function bytesOf(events: readonly SessionEvent[]): number {
  return events.reduce((sum, event) => {
    const strings = Object.values(event).filter((value) => typeof value === 'string');
    return sum + 160 + 2 * strings.join('').length;
  }, 0);
}

it('returns the remaining events after any cursor in order, and counts the dropped ones', () => {
  holdsAlways(({ log, all, left }) => {
    expect(left).toEqual(all.filter(({ seq }) => left.some((event) => event.seq === seq)));
    for (let cursor = 0; cursor <= all.length; cursor += 1) {
      const { events, dropped } = log.read(cursor);
      expect(events).toEqual(left.filter(({ seq }) => seq > cursor));
      expect(dropped + events.length).toBe(log.head - cursor);
    }
  }, 30);
});

it('keeps the newest event and counts all events', () => {
  holdsAlways(({ log, all, left }) => {
    expect(left.at(-1)).toEqual(all.at(-1));
    expect(log.head).toBe(all.length);
  });
});

it('keeps its byte count equal to the sum of the remaining events', () => {
  holdsAlways(({ log, left }) => {
    expect(log.bytes).toBe(bytesOf(left));
  });
});

it('never exceeds the hard limits by more than the newest event itself', () => {
  holdsAlways(({ limits, left }) => {
    expect(left.length).toBeLessThanOrEqual(Math.max(1, limits.maxEvents * 2));
    if (left.length > 1) expect(bytesOf(left)).toBeLessThanOrEqual(limits.maxBytes * 2);
  });
});

it('keeps every pinned event while the pinned events stay below the hard limits', () => {
  holdsAlways(({ limits, all, left }) => {
    const pinned = all.filter(isPinned);
    const largest = Math.max(...all.map((event) => bytesOf([event])));
    if (pinned.length >= limits.maxEvents * 2 || bytesOf(pinned) + largest > limits.maxBytes * 2) return;

    expect(left.filter(isPinned)).toEqual(pinned);
  });
});

it('drops nothing before the soft limits are reached', () => {
  holdsAlways(({ limits, all, left }) => {
    if (all.length <= limits.maxEvents && bytesOf(all) <= limits.maxBytes) expect(left).toEqual(all);
  });
});

it('stays within 1.5 times the soft limits as long as nothing is pinned', () => {
  holdsAlways(({ limits, all, left }) => {
    if (all.some(isPinned) || left.length === 1) return;
    expect(left.length).toBeLessThanOrEqual(limits.maxEvents * 1.5);
    expect(bytesOf(left)).toBeLessThanOrEqual(limits.maxBytes * 1.5);
  });
});

it('has news after a cursor exactly when a pinned event follows it', () => {
  holdsAlways(({ log, all }) => {
    for (let cursor = 0; cursor <= all.length; cursor += 1) {
      const isNews = all.some((event) => event.seq > cursor && isPinned(event));
      expect(log.hasNewsAfter(cursor)).toBe(isNews);
    }
  }, 30);
});
