import { Outline } from './outline.js';

export interface LineSink {
  /** A whole line without its newline. */
  line(bytes: Buffer): void;
  /** A line has become longer than the limit. Its end is reported separately, if it has one. */
  tooLong(): void;
  /** The end of a line over the limit. */
  longLine(outline: string | undefined): void;
}

const newline = 0x0a;

/** Splits a stream into lines. Of a line over the limit it keeps an outline only, so memory stays bounded. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #length = 0;
  #outline: Outline | undefined;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** Reports what has arrived since the last newline as a line. */
  end(): void {
    const outline = this.#outline;
    const parts = this.#parts;
    this.#outline = undefined;
    this.#parts = [];
    this.#length = 0;
    if (outline !== undefined) this.#sink.longLine(outline.text());
    else if (parts.length > 0) this.#sink.line(Buffer.concat(parts));
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#outline !== undefined) return this.#outline.push(bytes);
    this.#parts.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= this.#maxBytes) return;
    this.#outline = new Outline();
    for (const part of this.#parts) this.#outline.push(part);
    this.#parts = [];
    this.#sink.tooLong();
  }
}
