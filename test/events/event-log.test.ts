import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { noMeter } from '../../src/core/observability/measurements.js';
import type { EventBody } from '../../src/core/session/events.js';
import { EventLog } from '../../src/events/event-log.js';

const text = (words: string): EventBody => ({ type: 'text', text: words });
const result = (words: string): EventBody => ({ type: 'result', outcome: 'completed', text: words });
const roomy = { maxEvents: 1_000, maxBytes: 1_000_000 };

function filled(limits: { maxEvents: number; maxBytes: number }, bodies: readonly EventBody[]): EventLog {
  const log = new EventLog(limits);
  for (const body of bodies) log.append({ ...body }, 1_000, 1);
  return log;
}

function shown(log: EventLog, cursor = 0): (string | number)[] {
  return log.read(cursor).events.map((event) => ('text' in event ? event.text : event.seq));
}

const texts = (count: number): EventBody[] => Array.from({ length: count }, (_, index) => text(`t${index}`));

describe('reading', () => {
  it('numbers events from 1 and stamps them', () => {
    const log = new EventLog(roomy);

    const first = log.append(text('a'), 5_000, 1);
    const second = log.append(result('b'), 6_000, 2);

    expect(first).toEqual({ type: 'text', text: 'a', seq: 1, at: 5_000, turn: 1 });
    expect(second).toEqual({ type: 'result', outcome: 'completed', text: 'b', seq: 2, at: 6_000, turn: 2 });
    expect(log.head).toBe(2);
  });

  it('is empty before the first event', () => {
    const log = new EventLog(roomy);

    expect(log.read(0)).toEqual({ events: [], dropped: 0 });
    expect([log.head, log.bytes]).toEqual([0, 0]);
  });

  it('returns the events after the cursor, up to the limit', () => {
    const log = filled(roomy, texts(5));

    expect(shown(log, 3)).toEqual(['t3', 't4']);
    expect(log.read(1, 2).events.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(log.read(1, 0)).toEqual({ events: [], dropped: 0 });
    expect(log.read(5)).toEqual({ events: [], dropped: 0 });
  });

  it('refuses a cursor past the end', () => {
    const log = filled(roomy, texts(2));

    expect(() => log.read(3)).toThrow(new AppError('cursor_past_end', { cursor: 3, end: 2 }));
  });

  it('has news only if a pinned event follows the cursor', () => {
    const log = filled(roomy, [text('a'), result('b'), text('c')]);

    expect([0, 1, 2, 3].map((cursor) => log.hasNewsAfter(cursor))).toEqual([true, true, false, false]);
  });

  it.each<[boolean, EventBody]>([
    [
      true,
      {
        type: 'input_request',
        requestId: 'r',
        toolUseId: 't',
        kind: 'permission',
        toolName: 'Bash',
        summary: 's',
      },
    ],
    [true, { type: 'input_resolved', requestId: 'r', decision: 'allow', answeredBy: 'caller' }],
    [true, result('x')],
    [true, { type: 'error', errorSubtype: 'crashed', text: 'x' }],
    [false, text('x')],
    [false, { type: 'thinking', text: 'x' }],
    [false, { type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 's' }],
    [false, { type: 'tool_result', toolUseId: 't', isError: true, text: 'x' }],
    [false, { type: 'status', text: 'x' }],
    [false, { type: 'task', taskId: 't', state: 'started', text: 'x' }],
    [false, { type: 'raw', messageType: 'x' }],
  ])('counts as news: %s for %j', (isNews, body) => {
    expect(filled(roomy, [body]).hasNewsAfter(0)).toBe(isNews);
  });
});

describe('limits', () => {
  const ten = { maxEvents: 10, maxBytes: 1_000_000 };

  it('keeps everything up to 1.5 times the soft limit, then returns to the soft limit', () => {
    expect(filled(ten, texts(15)).read(0).events).toHaveLength(15);
    expect(filled(ten, texts(16)).read(0)).toMatchObject({ dropped: 6, events: { length: 10 } });
  });

  it('counts no events that were never counted', () => {
    const nothing = { events: [], dropped: 0 };
    const log = new EventLog(roomy, noMeter, { head: 1, uncounted: 1, events: [] });
    const before = [0, 1].map((cursor) => log.read(cursor));
    log.append(text('new'), 0, 1);

    const after = [0, 1, 2].map((cursor) => log.read(cursor, cursor === 0 ? 5 : 1));

    expect(before).toEqual([nothing, nothing]);
    expect(after).toMatchObject([
      { dropped: 0, events: [{ seq: 2 }] },
      { dropped: 0, events: [{ seq: 2 }] },
      nothing,
    ]);
  });

  it('counts dropped events from any cursor', () => {
    const log = filled(ten, texts(16));

    expect([0, 1, 5, 6, 7].map((cursor) => log.read(cursor).dropped)).toEqual([6, 5, 1, 0, 0]);
    expect(log.read(2).events).toHaveLength(10);
  });

  it('drops events that are not pinned first, oldest first', () => {
    const log = filled(ten, [result('first'), ...texts(15)]);

    expect(shown(log)).toEqual(['first', 't6', 't7', 't8', 't9', 't10', 't11', 't12', 't13', 't14']);
  });

  it('keeps pinned events beyond the soft limit, up to the hard one', () => {
    const pinned = Array.from({ length: 20 }, (_, index) => result(`r${index}`));

    const log = filled(ten, pinned);

    expect(log.read(0)).toMatchObject({ dropped: 0, events: { length: 20 } });
  });

  it('drops pinned events at the hard limit, oldest first', () => {
    const pinned = Array.from({ length: 21 }, (_, index) => result(`r${index}`));

    const log = filled(ten, pinned);

    expect(log.read(0)).toMatchObject({ dropped: 11, events: { length: 10 } });
    expect(shown(log).at(0)).toBe('r11');
  });

  it('keeps the newest event even if pinned events fill the log', () => {
    const log = filled(ten, [...Array.from({ length: 15 }, () => result('r')), text('a'), text('b')]);

    expect(log.read(0)).toMatchObject({ dropped: 1, events: { length: 16 } });
    expect(shown(log).at(-1)).toBe('b');
  });

  it('counts bytes as well as events', () => {
    const log = filled({ maxEvents: 1_000, maxBytes: 10_000 }, Array(7).fill(text('x'.repeat(1_000))));

    expect(log.read(0)).toMatchObject({ dropped: 3, events: { length: 4 } });
    expect(log.bytes).toBe(4 * (160 + 2 * ('text'.length + 1_000)));
  });

  it('keeps a single event that exceeds every limit', () => {
    const log = filled({ maxEvents: 10, maxBytes: 1_000 }, [result('a'), text('x'.repeat(5_000))]);

    expect(log.read(0)).toMatchObject({ dropped: 1, events: [{ type: 'text' }] });
  });

  it('sheds all events that are not pinned and continues its numbering', () => {
    const log = filled(roomy, [text('a'), result('b'), text('c')]);

    log.shed();
    log.append(text('d'), 1_000, 1);

    expect(shown(log)).toEqual(['b', 'd']);
    expect(log.read(0)).toMatchObject({ dropped: 2 });
    expect(log.head).toBe(4);
  });

  // If each page counted all gaps up to the head, a reader who adds up the pages would count later gaps twice.
  it('counts each dropped event once across the pages of one read', () => {
    const log = filled(roomy, [result('a'), text('b'), result('c'), text('d'), result('e')]);
    log.shed();

    const first = log.read(0, 1);
    const second = log.read(first.events.at(-1)?.seq ?? 0, 1);
    const third = log.read(second.events.at(-1)?.seq ?? 0, 1);

    expect([first, second, third].reduce((sum, { dropped }) => sum + dropped, 0)).toBe(2);
  });
});
