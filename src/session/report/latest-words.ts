import type { Redactor } from '../../core/observability/redactor.js';

const shownChars = 80;
/** More than is shown: of what is cut off, no half secret may be left. */
const keptChars = 4_000;

/** The end of a text that arrives in pieces, for whoever looks on. */
export class LatestWords {
  readonly #redactor: Redactor;
  #text = '';
  #isCut = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  add(piece: string): void {
    this.#text += piece;
    // Now and then only: there are thousands of pieces.
    if (this.#text.length <= 2 * keptChars) return;
    this.#text = this.#text.slice(-keptChars);
    this.#isCut = true;
  }

  clear(): void {
    this.#text = '';
    this.#isCut = false;
  }

  /** Whole words only: the last one may be a secret of which the rest is still to come. */
  whole(): string {
    const end = this.#text.search(/\S+$/);
    const whole = end < 0 ? this.#text : this.#text.slice(0, end);
    const from = this.#isCut ? whole.search(/\s/) : 0;
    return this.#redactor.redact(from < 0 ? '' : whole.slice(from));
  }

  /** In one line of a status. */
  read(): string {
    return this.whole().slice(-shownChars);
  }
}
