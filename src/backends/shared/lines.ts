/** Nothing of Claude Code's is so long: what is, is dropped instead of filling the memory. */
const maxLineBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/** Cuts a stream of bytes into lines, however they arrive. Bytes, because a chunk may end inside a character. */
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

  /** The last line may lack its end. */
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
