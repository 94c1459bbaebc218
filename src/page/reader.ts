import type { Clock } from '../core/clock.js';
import type { SessionId } from '../core/ids.js';
import type { InputRequest, SettledInput } from '../core/session/inputs.js';
import type { NewsListener } from '../sessions/news.js';
import type { Settlement } from './contract.js';
import { settlementOf } from './settlements.js';

/** What a reader of the stream should receive next. */
export type Due =
  | { readonly type: 'inbox' }
  | { readonly type: 'asked'; readonly request: InputRequest }
  | { readonly type: 'settled'; readonly settlement: Settlement }
  | { readonly type: 'events' }
  | { readonly type: 'rows'; readonly ids: readonly SessionId[] }
  | { readonly type: 'beat' }
  | { readonly type: 'bye' };

/** At most two updates per second and session. */
const rowIntervalMs = 500;
const beatMs = 10_000;
/** More unread answers than this are replaced by the whole inbox. */
const maxUnread = 200;

/** Collects what one reader has not received yet: the newest state, never every step, so that its memory is bounded. */
export class StreamReader implements NewsListener {
  readonly #clock: Clock;
  readonly #watched: SessionId | undefined;
  /** Requests that the reader knows to be open. */
  readonly #known = new Set<string>();
  readonly #asked = new Map<string, InputRequest>();
  #settled: Settlement[] = [];
  #isInboxDue = true;
  #hasEvents: boolean;
  readonly #rows = new Set<SessionId>();
  /** Sessions whose row was sent a moment ago, and whether they have changed since. */
  readonly #recent = new Map<SessionId, { hasChanged: boolean }>();
  #isBeatDue = false;
  #isClosing = false;
  #wake: () => void = () => undefined;
  /** Always the same, because a signal keeps each other listener for as long as the stream lasts. */
  readonly #onAbort = (): void => this.#wake();
  readonly #timers = new Set<() => void>();

  constructor(clock: Clock, watched: SessionId | undefined) {
    this.#clock = clock;
    this.#watched = watched;
    this.#hasEvents = watched !== undefined;
    this.#beatLater();
  }

  onChanged(sessionId: SessionId): void {
    if (sessionId === this.#watched) this.noteEvents();
    const recent = this.#recent.get(sessionId);
    if (recent === undefined) this.#noteRow(sessionId);
    else recent.hasChanged = true;
  }

  onAsked(request: InputRequest): void {
    this.#asked.set(request.requestId, request);
    this.#wake();
  }

  onSettled(settled: SettledInput): void {
    const { requestId } = settled.request;
    this.#asked.delete(requestId);
    // It was settled before the reader could see it.
    if (!this.#known.delete(requestId)) return;
    this.#settled.push(settlementOf(settled, this.#clock.now()));
    if (this.#settled.length > maxUnread) {
      this.#settled = [];
      this.#isInboxDue = true;
    }
    this.#wake();
  }

  onClosing(): void {
    this.#isClosing = true;
    this.#wake();
  }

  /** There may be events of the session on display that the reader has not received. */
  noteEvents(): void {
    this.#hasEvents = true;
    this.#wake();
  }

  /** Looks for events again after a while. */
  lookAgainIn(ms: number): void {
    this.#after(ms, () => this.noteEvents());
  }

  /** The reader learns of these requests now. */
  noteInbox(requests: readonly InputRequest[]): void {
    for (const { requestId } of requests) {
      this.#known.add(requestId);
      this.#asked.delete(requestId);
    }
  }

  /** Resolves with what is due next, the most urgent first; undefined when the signal aborts. */
  async next(signal: AbortSignal): Promise<Due | undefined> {
    while (!signal.aborted) {
      const due = this.#take();
      if (due !== undefined) return due;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', this.#onAbort, { once: true });
      });
    }
    return undefined;
  }

  close(): void {
    for (const stop of this.#timers) stop();
    this.#timers.clear();
  }

  #take(): Due | undefined {
    if (this.#isInboxDue) {
      this.#isInboxDue = false;
      return { type: 'inbox' };
    }
    const settlement = this.#settled.shift();
    if (settlement !== undefined) return { type: 'settled', settlement };
    for (const [requestId, request] of this.#asked) {
      this.#asked.delete(requestId);
      this.#known.add(requestId);
      return { type: 'asked', request };
    }
    if (this.#isClosing) return { type: 'bye' };
    if (this.#isBeatDue) {
      this.#isBeatDue = false;
      return { type: 'beat' };
    }
    if (this.#rows.size > 0) {
      const ids = [...this.#rows];
      this.#rows.clear();
      return { type: 'rows', ids };
    }
    if (!this.#hasEvents) return undefined;
    this.#hasEvents = false;
    return { type: 'events' };
  }

  #noteRow(sessionId: SessionId): void {
    const recent = { hasChanged: false };
    this.#recent.set(sessionId, recent);
    this.#rows.add(sessionId);
    this.#after(rowIntervalMs, () => {
      this.#recent.delete(sessionId);
      if (recent.hasChanged) this.#noteRow(sessionId);
    });
    this.#wake();
  }

  #beatLater(): void {
    this.#after(beatMs, () => {
      this.#isBeatDue = true;
      this.#wake();
      this.#beatLater();
    });
  }

  #after(ms: number, act: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#timers.delete(stop);
      act();
    });
    this.#timers.add(stop);
  }
}
