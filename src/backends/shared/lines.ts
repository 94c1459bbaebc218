/** Claude Code writes no line this long. Longer ones are dropped, so that they cannot exhaust the memory. */
const maxLineBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/** Splits a stream into lines. Works on bytes, because a chunk may end inside a character. */
export class LineCutter {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Emits a last line that has no newline. */
  end(): void {
    this.#finish();
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= maxLineBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  #finish(): void {
    const line = this.#bytes > maxLineBytes ? '' : Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    this.#bytes = 0;
    if (line !== '') this.#onLine(line);
  }
}
