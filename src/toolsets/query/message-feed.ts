/** A message or progress line to send while a query runs. */
export type FeedItem =
  | {
      readonly kind: 'message';
      readonly level: 'info' | 'error';
      readonly message: unknown;
      readonly at: number;
      /** Its share of the limit on queued characters. */
      readonly chars: number;
    }
  | { readonly kind: 'line'; readonly text: string; readonly at: number };

export interface SentMessage {
  readonly level: 'info' | 'error';
  readonly message: unknown;
  readonly at: number;
  /** Counts from 1 without gaps, across all calls of the query. */
  readonly sequence: number;
}

/** The receiving call. Both functions resolve when the client has accepted the item, and never reject. */
export interface FeedReader {
  readonly message: ((sent: SentMessage) => Promise<void>) | undefined;
  readonly line: ((text: string) => Promise<void>) | undefined;
}

/** About ten thousand messages. A reader that falls further behind gets the number of messages it missed. */
export const maxWaitingChars = 4 * 1_048_576;

/**
 * Sends the messages of a query in order, each after the client has accepted the one before. Claude does not wait for
 * a slow reader, so the queue is bounded, and a notice in their place counts the messages that were dropped.
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

  /** Directs the feed to a call. Queued items go out first. */
  attach(reader: FeedReader): void {
    this.#reader = reader;
    this.#send();
  }

  /** Stops sending to a call that ends. New items wait for the next call. */
  detach(reader: FeedReader): void {
    if (this.#reader === reader) this.#reader = undefined;
  }

  /** Resolves when the queue is empty. */
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
      // An item may have arrived after the loop checked the queue.
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
