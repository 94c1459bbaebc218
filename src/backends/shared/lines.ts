import { StringDecoder } from 'node:string_decoder';

/** Claude Code writes no line this long. Longer ones are dropped, so that they cannot exhaust the memory. */
const maxLineChars = 64 * 1024 * 1024;

/** Splits a stream into lines. */
export class LineCutter {
  readonly #onLine: (line: string) => void;
  /** A chunk may end inside a character. */
  readonly #decoder = new StringDecoder('utf8');
  /** The line so far. Undefined: it is too long. */
  #line: string | undefined = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    // At once, because most chunks have many lines.
    const text = this.#decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(text.slice(start));
  }

  /** Emits a last line that has no newline. */
  end(): void {
    this.#keep(this.#decoder.end());
    this.#finish();
  }

  #keep(part: string): void {
    if (this.#line === undefined) return;
    this.#line = this.#line.length + part.length <= maxLineChars ? this.#line + part : undefined;
  }

  #finish(): void {
    const line = this.#line ?? '';
    this.#line = '';
    if (line !== '') this.#onLine(line);
  }
}
