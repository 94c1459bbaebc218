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
    if (this.#kept.length > this.#max) this.#kept = latest(this.#kept, this.#max);
  }
}

/** The last `count` messages, and among them the last result. */
export function latest(messages: readonly ShownMessage[], count: number): ShownMessage[] {
  const from = Math.max(0, messages.length - count);
  const last = messages.findLastIndex(({ message }) => isType(message, 'result'));
  const result = messages[last];
  if (result === undefined || last >= from) return messages.slice(from);
  return [result, ...messages.slice(from + 1)];
}
