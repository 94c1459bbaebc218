import { isType } from './message-shape.js';
import type { ShownMessage } from './shorten.js';

/** The last messages of a query, for its result. The result of the turn is never the one that goes. */
export class KeptMessages {
  /** How many there were. */
  total = 0;
  #kept: ShownMessage[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly ShownMessage[] {
    return this.#kept;
  }

  /** How many there were is still known. */
  forget(): void {
    this.#kept = [];
  }

  add(shown: ShownMessage): void {
    this.total += 1;
    this.#kept.push(shown);
    if (this.#kept.length > this.#max) this.#kept = withoutOldest(this.#kept);
  }
}

/** One less: the oldest that is not the last result. */
export function withoutOldest(messages: readonly ShownMessage[]): ShownMessage[] {
  const last = messages.findLastIndex(({ message }) => isType(message, 'result'));
  return messages.toSpliced(last === 0 ? 1 : 0, 1);
}
