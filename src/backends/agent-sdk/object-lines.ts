import { Readable } from 'node:stream';

const newline = 0x0a;
const brace = 0x7b;

/**
 * Drops lines that are not JSON objects: on `null`, the SDK's iterator would throw and end the session. Not a
 * Transform, whose writable half would cost CPU time on every message.
 */
export class ObjectLines extends Readable {
  readonly #source: Readable;
  /** Whether the line that the last chunk ended in is passed on; undefined at the start of a line. */
  #isKept: boolean | undefined;

  constructor(source: Readable) {
    super();
    this.#source = source;
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.once('end', () => this.push(null));
    source.once('close', () => this.push(null));
    source.once('error', (error) => this.destroy(error));
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.destroy();
    done(error);
  }

  #take(chunk: Buffer): void {
    let keptFrom = 0;
    for (let start = 0; start < chunk.length;) {
      const lineEnd = chunk.indexOf(newline, start);
      const end = lineEnd === -1 ? chunk.length : lineEnd + 1;
      this.#isKept ??= chunk[start] === brace;
      if (!this.#isKept) {
        if (keptFrom < start) this.push(chunk.subarray(keptFrom, start));
        keptFrom = end;
      }
      if (lineEnd !== -1) this.#isKept = undefined;
      start = end;
    }
    // Nearly always the whole chunk.
    const rest = keptFrom === 0 ? chunk : chunk.subarray(keptFrom);
    if (rest.length > 0 && !this.push(rest)) this.#source.pause();
  }
}
