import { isType } from './message-shape.js';
import type { ShownMessage } from './shorten.js';

/** The last messages of a query, for its answer. The result message of the turn is never dropped. */
export class KeptMessages {
  /** Number of messages, including dropped ones. */
  total = 0;
  #kept: ShownMessage[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly ShownMessage[] {
    return this.#kept;
  }

  /** Frees the messages and keeps their total. */
  forget(): void {
    this.#kept = [];
  }

  add(shown: ShownMessage): void {
    this.total += 1;
    this.#kept.push(shown);
    if (this.#kept.length > this.#max) this.#kept = withoutOldest(this.#kept);
  }
}

/** Drops the oldest message that is not the last result. */
export function withoutOldest(messages: readonly ShownMessage[]): ShownMessage[] {
  const last = messages.findLastIndex(({ message }) => isType(message, 'result'));
  return messages.toSpliced(last === 0 ? 1 : 0, 1);
}
