import type { Redactor } from '../../core/observability/redactor.js';

const toldChars = 4_000;
/** More than is told: of what is cut off, no half secret may be left. */
const keptChars = 20_000;
/** No secret is longer, so that no piece of one is left behind so many characters. */
const maxSecretChars = 12_000;

/** The end of an error stream. */
export class LastWords {
  readonly #redactor: Redactor;
  #text = '';
  #isCut = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  add(chunk: string): void {
    this.#text += chunk;
    if (this.#text.length <= 2 * keptChars) return;
    this.#text = this.#text.slice(-keptChars);
    this.#isCut = true;
  }

  read(): string {
    return this.#redactor
      .redact(this.#isCut ? withoutFirstWord(this.#text) : this.#text)
      .slice(-toldChars)
      .trim();
  }
}

/** It may be the rest of a secret. */
function withoutFirstWord(text: string): string {
  return text.slice(Math.min(text.search(/\s|$/), maxSecretChars));
}
