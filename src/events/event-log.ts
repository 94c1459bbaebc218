import { AppError } from '../core/errors.js';
import { noMeter, type Measurement, type Meter } from '../core/observability/measurements.js';
import { isPinned, type EventBody, type SessionEvent } from '../core/session/events.js';

export interface LogLimits {
  /** Soft limits; the hard ones, at which pinned events go too, are twice these. */
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface LogPage {
  readonly events: readonly SessionEvent[];
  /** Events between the cursor and the last one of this page that were evicted before anyone read them from here. */
  readonly dropped: number;
}

interface Entry {
  readonly event: SessionEvent;
  readonly bytes: number;
}

/** Eviction rewrites the array, so it is done for a batch at a time. */
const batchShare = 0.5;
/** What an event costs beside its text: keys, numbers, object headers. */
const baseBytes = 160;

/** One object for all of them: there are thousands. */
const stored: Measurement = { what: 'event_stored' };

/** The events of one session: numbered, bounded, readable from any cursor at the cost of what is new. */
export class EventLog {
  readonly #limits: LogLimits;
  readonly #meter: Meter;
  #entries: Entry[] = [];
  #bytes = 0;
  #head = 0;
  #lastPinned = 0;

  constructor(limits: LogLimits, meter: Meter = noMeter) {
    this.#limits = limits;
    this.#meter = meter;
  }

  /** The seq of the newest event; 0 before the first. */
  get head(): number {
    return this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the body over and makes it the event: a copy per event would cost more than all the rest. */
  append(body: EventBody, at: number, turn: number): SessionEvent {
    this.#head += 1;
    const event: SessionEvent = Object.assign(body, { seq: this.#head, at, turn });
    const bytes = sizeOf(event);
    this.#entries.push({ event, bytes });
    this.#bytes += bytes;
    this.#meter.measure(stored);
    if (isPinned(event)) this.#lastPinned = event.seq;
    this.#evict();
    return event;
  }

  /** What came after `cursor`, at most `limit` events of it. */
  read(cursor: number, limit = Infinity): LogPage {
    if (cursor > this.#head) {
      throw new AppError('cursor_past_end', { cursor, end: this.#head });
    }
    const first = this.#indexAfter(cursor);
    const events = this.#entries.slice(first, first + limit).map(({ event }) => event);
    const isWhole = first + events.length === this.#entries.length;
    const last = isWhole ? this.#head : (events.at(-1)?.seq ?? cursor);
    return { events, dropped: last - cursor - events.length };
  }

  /** Whether a pinned event came after `cursor`: what a waiting caller wants to know. */
  hasNewsAfter(cursor: number): boolean {
    return this.#lastPinned > cursor;
  }

  /** Drops everything that is not pinned, to make room for other sessions. */
  shed(): void {
    this.#keep(this.#entries.filter(({ event }) => isPinned(event)));
  }

  #evict(): void {
    const { maxEvents, maxBytes } = this.#limits;
    if (!this.#isOver(1 + batchShare)) return;
    let surplusEvents = this.#entries.length - maxEvents;
    let surplusBytes = this.#bytes - maxBytes;
    const dropWhile = (canDrop: (entry: Entry) => boolean): void => {
      this.#keep(
        this.#entries.filter((entry, index) => {
          const isNewest = index === this.#entries.length - 1;
          if (isNewest || !canDrop(entry) || (surplusEvents <= 0 && surplusBytes <= 0)) return true;
          surplusEvents -= 1;
          surplusBytes -= entry.bytes;
          return false;
        }),
      );
    };
    dropWhile(({ event }) => !isPinned(event));
    if (this.#isOver(2)) dropWhile(() => true);
  }

  #isOver(factor: number): boolean {
    return (
      this.#entries.length > this.#limits.maxEvents * factor || this.#bytes > this.#limits.maxBytes * factor
    );
  }

  #keep(entries: Entry[]): void {
    const count = this.#entries.length - entries.length;
    if (count > 0) this.#meter.measure({ what: 'events_dropped', count });
    this.#entries = entries;
    this.#bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  }

  /** Binary search: old events must not make a poll slower. */
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

function sizeOf(event: SessionEvent): number {
  let bytes = baseBytes;
  let key: keyof SessionEvent;
  // for-in: the only way through an object that allocates nothing.
  for (key in event) {
    const value = event[key];
    if (typeof value === 'string') bytes += value.length * 2;
  }
  return bytes;
}
