import type { Readable } from 'node:stream';
import { parseObject, type JsonObject } from '../../core/json.js';
import { LineCutter } from './lines.js';

/** Takes a message, and its line. The messages behind it wait for the promise, if there is one. */
export type TakeMessage = (message: JsonObject, line: string) => Promise<void> | undefined;

/**
 * Reads the messages of Claude Code one after the other, and no faster than they are taken. Other output is a stray line
 * from Claude Code or from a process that it started.
 */
export class MessageReader {
  readonly #output: Readable;
  readonly #take: TakeMessage;
  /** Lines behind a message that is being taken: the rest of a chunk. */
  #waiting: string[] | undefined;
  #isClosed = false;
  #onEnd: () => void = () => undefined;
  /** Resolves when everything was taken. */
  readonly ended = new Promise<void>((resolve) => (this.#onEnd = resolve));

  constructor(output: Readable, take: TakeMessage) {
    this.#output = output;
    this.#take = take;
    const cutter = new LineCutter((line) => this.#read(line));
    output.on('data', (chunk: Buffer) => cutter.push(chunk));
    // It closes after an error as well.
    output.on('error', () => undefined);
    output.once('close', () => {
      cutter.end();
      this.#isClosed = true;
      if (this.#waiting === undefined) this.#onEnd();
    });
  }

  #read(line: string): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(line);
      return;
    }
    const message = parseObject(line);
    const taken = message && this.#take(message, line);
    if (taken === undefined) return;
    this.#waiting = [];
    this.#output.pause();
    void taken.then(() => this.#continue());
  }

  #continue(): void {
    const lines = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const line of lines) this.#read(line);
    if (this.#waiting !== undefined) return;
    if (this.#isClosed) this.#onEnd();
    else this.#output.resume();
  }
}
