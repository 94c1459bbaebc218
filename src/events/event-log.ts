import { AppError } from '../core/errors.js';
import { noMeter, type Measurement, type Meter } from '../core/observability/measurements.js';
import { isPinned, type EventBody, type SessionEvent } from '../core/session/events.js';

export interface LogLimits {
  /** Soft limits. At twice these limits, pinned events are evicted too. */
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface LogPage {
  readonly events: readonly SessionEvent[];
  /** Events after the cursor, up to the last event of this page, that were evicted before this read. */
  readonly dropped: number;
}

export interface EarlierEvents {
  /** How many there were. */
  readonly head: number;
  /** The first of them that only keep their numbers free, because nobody has counted what there was. */
  readonly uncounted?: number;
  /** The last of them, in order. */
  readonly events: readonly SessionEvent[];
}

const noEvents: EarlierEvents = { head: 0, events: [] };

interface Entry {
  readonly event: SessionEvent;
  readonly bytes: number;
}

/** Eviction rewrites the array, so it runs in batches. */
const batchShare = 0.5;
/** Memory of an event besides its text: keys, numbers, object headers. */
const baseBytes = 160;

/** One shared object, because thousands of events are stored. */
const stored: Measurement = { what: 'event_stored' };

/**
 * The events of one session: numbered, bounded, and readable from any cursor in time proportional to the new events.
 */
export class EventLog {
  readonly #limits: LogLimits;
  readonly #meter: Meter;
  readonly #start: number;
  readonly #uncounted: number;
  #entries: Entry[] = [];
  #bytes = 0;
  #head: number;
  #lastPinned: number;

  /** `earlier`: what an earlier server has counted and kept. Cursors into it stay meaningful. */
  constructor(limits: LogLimits, meter: Meter = noMeter, earlier: EarlierEvents = noEvents) {
    this.#limits = limits;
    this.#meter = meter;
    const { head, events, uncounted = 0 } = earlier;
    this.#uncounted = uncounted;
    this.#entries = events.map((event) => ({ event, bytes: sizeOf(event) }));
    this.#bytes = bytesOf(this.#entries);
    this.#start = Math.max(head, events.at(-1)?.seq ?? 0);
    this.#head = this.#start;
    this.#lastPinned = this.#start;
  }

  /** The seq of the newest event; 0 before the first. */
  get head(): number {
    return this.#head;
  }

  /** Whether nothing has been added since the log was created. */
  get isUntouched(): boolean {
    return this.#head === this.#start;
  }

  /** Whether no event can be read. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Turns `body` itself into the event, because a copy per event would cost more than everything else here. */
  append(body: EventBody, at: number, turn: number): SessionEvent {
    this.#head += 1;
    const event = body as EventBody & { -readonly [K in 'seq' | 'at' | 'turn']: SessionEvent[K] };
    event.seq = this.#head;
    event.at = at;
    event.turn = turn;
    const bytes = sizeOf(event);
    this.#entries.push({ event, bytes });
    this.#bytes += bytes;
    this.#meter.measure(stored);
    if (isPinned(event)) this.#lastPinned = event.seq;
    this.#evict();
    return event;
  }

  /** Returns up to `limit` events after `cursor`. */
  read(cursor: number, limit = Infinity): LogPage {
    if (cursor > this.#head) {
      throw new AppError('cursor_past_end', { cursor, end: this.#head });
    }
    const first = this.#indexAfter(cursor);
    const events = this.#entries.slice(first, first + limit).map(({ event }) => event);
    const isWhole = first + events.length === this.#entries.length;
    const last = isWhole ? this.#head : (events.at(-1)?.seq ?? cursor);
    return { events, dropped: Math.max(0, last - Math.max(cursor, this.#uncounted) - events.length) };
  }

  /** Whether a pinned event follows `cursor`, which ends the wait of a caller. */
  hasNewsAfter(cursor: number): boolean {
    return this.#lastPinned > cursor;
  }

  /** Drops all events that are not pinned, to make room for other sessions. */
  shed(): void {
    const entries = this.#entries.filter(({ event }) => isPinned(event));
    this.#keep(entries, bytesOf(entries));
  }

  #evict(): void {
    if (!this.#isOver(1 + batchShare)) return;
    this.#dropOldest(({ event }) => !isPinned(event));
    if (this.#isOver(2)) this.#dropOldest(() => true);
  }

  /** Down to the limits. The newest event stays. */
  #dropOldest(canDrop: (entry: Entry) => boolean): void {
    const { maxEvents, maxBytes } = this.#limits;
    let events = this.#entries.length;
    let bytes = this.#bytes;
    const spared: Entry[] = [];
    let looked = 0;
    for (const entry of this.#entries.slice(0, -1)) {
      if (events <= maxEvents && bytes <= maxBytes) break;
      looked += 1;
      if (!canDrop(entry)) spared.push(entry);
      else [events, bytes] = [events - 1, bytes - entry.bytes];
    }
    this.#keep([...spared, ...this.#entries.slice(looked)], bytes);
  }

  #isOver(factor: number): boolean {
    return (
      this.#entries.length > this.#limits.maxEvents * factor || this.#bytes > this.#limits.maxBytes * factor
    );
  }

  #keep(entries: Entry[], bytes: number): void {
    const count = this.#entries.length - entries.length;
    if (count > 0) this.#meter.measure({ what: 'events_dropped', count });
    this.#entries = entries;
    this.#bytes = bytes;
  }

  /** Binary search, so that old events do not slow down polling. */
  #indexAfter(cursor: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.event.seq ?? Infinity) > cursor) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

function sizeOf(event: SessionEvent): number {
  let bytes = baseBytes;
  let key: keyof SessionEvent;
  // for-in is the only way to iterate an object without allocating.
  for (key in event) {
    const value = event[key];
    if (typeof value === 'string') bytes += value.length * 2;
  }
  return bytes;
}
