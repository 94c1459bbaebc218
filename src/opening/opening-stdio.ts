import { isUtf8 } from 'node:buffer';
import { Readable, type Writable } from 'node:stream';
import { longestLine } from './messages.js';
import type { Opening, PassedMessage } from './opening.js';

/** With what the rest of the server continues. */
export interface Opened {
  readonly passed: readonly PassedMessage[];
  /** Paused, at the first message that was not answered. */
  readonly input: Readable;
  readonly output: Writable;
}

const newline = 0x0a;

/** Answers what it can, until a message arrives that only the rest of the server can answer. */
export class OpeningStdio {
  /** Undefined if the connection has ended. */
  readonly over: Promise<Opened | undefined>;
  #resolve: (opened: Opened | undefined) => void = () => undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #opening: Opening;
  #rest: Buffer = Buffer.alloc(0);
  #isOver = false;

  constructor({ input, output }: { readonly input: Readable; readonly output: Writable }, opening: Opening) {
    this.#input = input;
    this.#output = output;
    this.#opening = opening;
    this.over = new Promise((resolve) => (this.#resolve = resolve));
    input.on('data', this.#push).on('end', this.#end).on('close', this.#lost).on('error', this.#lost);
    output.on('error', this.#lost).on('close', this.#lost);
  }

  /** Ends the opening now, although every message could be answered so far. */
  handOver(): void {
    if (this.#isOver) return;
    this.#input.pause();
    if (this.#rest.length > 0) this.#input.unshift(this.#rest);
    this.#finish(this.#input);
  }

  readonly #push = (chunk: Buffer): void => {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = this.#rest.indexOf(newline);
      if (end === -1) break;
      if (!this.#take(this.#rest.subarray(0, end))) return this.handOver();
      this.#rest = this.#rest.subarray(end + 1);
    }
    if (this.#rest.length > longestLine) this.handOver();
  };

  /** The last line may lack its newline. */
  readonly #end = (): void => {
    if (this.#rest.length === 0 || this.#take(this.#rest)) return this.#lost();
    this.#finish(Readable.from([this.#rest], { objectMode: false }));
  };

  #take(bytes: Buffer): boolean {
    if (bytes.length > longestLine || !isUtf8(bytes)) return false;
    const passed = this.#opening.take(bytes.toString());
    if (passed?.answer !== undefined) this.#output.write(`${passed.answer}\n`);
    return passed !== undefined;
  }

  readonly #lost = (): void => this.#finish(undefined);

  #finish(input: Readable | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#input
      .off('data', this.#push)
      .off('end', this.#end)
      .off('close', this.#lost)
      .off('error', this.#lost);
    const output = this.#output.off('close', this.#lost);
    if (input === undefined) return this.#resolve(undefined);
    // Until then, an error without a listener would end the process.
    output.off('error', this.#lost);
    this.#resolve({ passed: this.#opening.passed, input, output });
  }
}
