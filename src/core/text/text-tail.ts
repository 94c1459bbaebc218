/** Secrets are no longer than this, so the text beyond it cannot be part of a cut secret. */
const maxSecretChars = 12_000;

/** The end of a text that arrives in pieces, redacted, without parts of a secret at either edge. */
export class TextTail {
  readonly #redact: (text: string) => string;
  readonly #keptChars: number;
  #text = '';
  #isCut = false;

  /** `keptChars` should far exceed what is shown: a secret that is cut in half is no longer recognised. */
  constructor(redact: (text: string) => string, keptChars: number) {
    this.#redact = redact;
    this.#keptChars = keptChars;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  add(piece: string): void {
    this.#text += piece;
    // Cuts rarely, because there may be thousands of pieces.
    if (this.#text.length <= 2 * this.#keptChars) return;
    this.#text = this.#text.slice(-this.#keptChars);
    this.#isCut = true;
  }

  clear(): void {
    this.#text = '';
    this.#isCut = false;
  }

  /** Returns everything kept so far. */
  read(): string {
    return this.#redact(this.#fromFirstWord(this.#text));
  }

  /** Omits the last word, which may be the first part of a secret. */
  readWholeWords(): string {
    // A loop, because /\S+$/ takes quadratic time on a long word.
    let end = this.#text.length;
    while (end > 0 && /\S/.test(this.#text.charAt(end - 1))) end -= 1;
    return this.#redact(this.#fromFirstWord(this.#text.slice(0, end)));
  }

  /** After a cut, the text may begin inside a secret. */
  #fromFirstWord(text: string): string {
    return this.#isCut ? text.slice(Math.min(text.search(/\s|$/), maxSecretChars)) : text;
  }
}
