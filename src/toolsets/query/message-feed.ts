/** Something to send while a query runs. */
export type FeedItem =
  | {
      readonly kind: 'message';
      readonly level: 'info' | 'error';
      readonly message: unknown;
      readonly at: number;
      /** How much of the room for what waits it takes. */
      readonly chars: number;
    }
  | { readonly kind: 'line'; readonly text: string; readonly at: number };

export interface SentMessage {
  readonly level: 'info' | 'error';
  readonly message: unknown;
  readonly at: number;
  /** 1, 2, 3 … without a gap, over all calls that belong to the query. */
  readonly sequence: number;
}

/** The caller at the other end. Both resolve when the client has taken it, and never reject. */
export interface FeedReader {
  readonly message: ((sent: SentMessage) => Promise<void>) | undefined;
  readonly line: ((text: string) => Promise<void>) | undefined;
}

/** Some ten thousand messages. A reader that is further behind is told how many it has missed. */
export const maxWaitingChars = 4 * 1_048_576;

/**
 * What a query tells while it runs, one after the other: the next goes out when the client has taken the last. Claude
 * does not wait for a slow reader, so what waits is bounded, and what had to be left out is counted in its place.
 */
export class MessageFeed {
  readonly #waiting: FeedItem[] = [];
  #waitingChars = 0;
  #leftOut = 0;
  #sequence = 0;
  #reader: FeedReader | undefined;
  #sending: Promise<void> | undefined;

  add(item: FeedItem): void {
    this.#waiting.push(item);
    this.#waitingChars += charsOf(item);
    while (this.#waitingChars > maxWaitingChars) {
      if (this.#take()?.kind === 'message') this.#leftOut += 1;
    }
    this.#send();
  }

  /** A call has come that wants to hear: what it has not heard yet goes out first. */
  attach(reader: FeedReader): void {
    this.#reader = reader;
    this.#send();
  }

  /** The call is over; what comes now waits for the next one. */
  detach(reader: FeedReader): void {
    if (this.#reader === reader) this.#reader = undefined;
  }

  /** Resolves when everything has gone out. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  #take(): FeedItem | undefined {
    const item = this.#waiting.shift();
    if (item !== undefined) this.#waitingChars -= charsOf(item);
    return item;
  }

  #send(): void {
    if (this.#reader === undefined || this.#waiting.length === 0) return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // Something may have come between the last look and the end.
      this.#send();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#reader !== undefined) {
      const item = this.#next();
      if (item === undefined) return;
      if (item.kind === 'line') await this.#reader.line?.(item.text);
      else await this.#sendMessage(item, this.#reader);
    }
  }

  async #sendMessage(
    { level, message, at }: Extract<FeedItem, { kind: 'message' }>,
    reader: FeedReader,
  ): Promise<void> {
    this.#sequence += 1;
    await reader.message?.({ level, message, at, sequence: this.#sequence });
  }

  #next(): FeedItem | undefined {
    const next = this.#waiting[0];
    if (this.#leftOut === 0 || next === undefined) return this.#take();
    const count = this.#leftOut;
    this.#leftOut = 0;
    return {
      kind: 'message',
      level: 'info',
      at: next.at,
      chars: 0,
      message: { type: 'system', subtype: 'messages_left_out', count },
    };
  }
}

function charsOf(item: FeedItem): number {
  return item.kind === 'message' ? item.chars : item.text.length;
}
