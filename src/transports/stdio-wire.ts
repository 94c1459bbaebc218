import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Logger } from '../core/observability/logger.js';
import { LineSplitter } from './line-splitter.js';
import { reworded } from './reword-error.js';
import { readLine, refuseLong, type Incoming } from './read-message.js';

/** Limits of one connection, in bytes. */
export interface WireLimits {
  /** Of a message, without its newline. */
  readonly line: number;
  /** Of answers that the client has not read. Above it, the next messages wait. */
  readonly unread: number;
  /** Of messages that wait. Above it, the server stops reading. Below it, it still notices the end of input. */
  readonly waiting: number;
}

const mebibyte = 1024 * 1024;
const defaultLimits: WireLimits = { line: 10 * mebibyte, unread: 16 * mebibyte, waiting: 10 * mebibyte };

/** What a waiting message needs besides its bytes, roughly. */
const overhead = 256;

/** Answers are written after the turn, so more messages could produce any amount of them. */
const messagesPerTurn = 64;

/** Messages that are still read when the input has ended. More would delay the exit. */
const messagesAtEnd = 500;

/** A message that has arrived but has not been read. */
interface Waiting {
  readonly size: number;
  readonly read: () => Incoming | undefined;
}

interface Sender {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One JSON-RPC message per line over a pair of streams. Every request gets an answer, even if it is malformed. */
export class StdioWire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  /** Resolves when no further message can arrive. */
  readonly closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #logger: Logger;
  readonly #limits: WireLimits;
  readonly #lines: LineSplitter;
  #isClosed = false;
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #senders: Sender[] = [];
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(
    { input, output }: { readonly input: Readable; readonly output: Writable },
    logger: Logger,
    limits = defaultLimits,
  ) {
    this.#input = input;
    this.#output = output;
    this.#logger = logger;
    this.#limits = limits;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    const tooLong = `The message is longer than ${limits.line / mebibyte} MiB.`;
    this.#lines = new LineSplitter(limits.line, {
      line: (bytes) => this.#receive(bytes.length, () => readLine(bytes)),
      tooLong: () => logger.log('warn', tooLong),
      longLine: (outline) => this.#receive(0, () => refuseLong(outline, tooLong)),
    });
  }

  async start(): Promise<void> {
    this.#input
      .on('data', this.#push)
      .on('end', this.#end)
      .on('close', this.#closeSoon)
      .on('error', this.#close);
    // When a client dies while we write, the output fails before the input ends. Later errors say nothing new.
    this.#output.on('error', this.#close).on('close', this.#close).on('drain', this.#drain);
    if (this.#input.readableEnded || this.#input.destroyed) this.#closeSoon();
    this.#input.resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    if (this.#output.write(`${JSON.stringify(reworded(message))}\n`)) return;
    await new Promise<void>((resolve, reject) => this.#senders.push({ resolve, reject }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#push).off('end', this.#end).pause();
    this.#output.off('drain', this.#drain);
    this.#waiting = [];
    for (const { reject } of this.#senders.splice(0)) reject(new Error('The connection is closed.'));
    this.onclose?.();
    this.#resolveClosed();
  }

  readonly #push = (chunk: Buffer): void => {
    this.#lines.push(chunk);
    this.#readWaiting();
  };

  readonly #end = (): void => {
    // The last line may lack its newline.
    this.#lines.end();
    this.#readWaiting(messagesAtEnd);
    this.#closeSoon();
  };

  readonly #close = (): void => void this.close();

  /** After what can be answered at once. */
  readonly #closeSoon = (): void => void setImmediate(this.#close);

  readonly #drain = (): void => {
    for (const { resolve } of this.#senders.splice(0)) resolve();
    this.#readWaiting();
  };

  #receive(bytes: number, read: Waiting['read']): void {
    const size = bytes + overhead;
    this.#waiting.push({ size, read });
    this.#waitingSize += size;
  }

  #readWaiting(most = messagesPerTurn): void {
    for (let count = 0; count < most && !this.#isUnread(); count += 1) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#waitingSize -= next.size;
      const incoming = next.read();
      if (incoming !== undefined) this.#deliver(incoming);
    }
    if (this.#waiting.length > 0 && !this.#isUnread() && this.#nextTurn === undefined)
      this.#nextTurn = setImmediate(() => {
        this.#nextTurn = undefined;
        this.#readWaiting();
      });
    if (this.#waitingSize > this.#limits.waiting) this.#input.pause();
    else if (this.#input.isPaused() && !this.#isClosed) this.#input.resume();
  }

  /** Whether the client leaves too many answers unread. It ends with `drain`. */
  #isUnread(): boolean {
    return this.#output.writableLength > this.#limits.unread;
  }

  #deliver(incoming: Incoming): void {
    if ('message' in incoming) return this.onmessage?.(incoming.message);
    this.#logger.log('debug', 'a message was not accepted', { reason: incoming.problem });
    for (const answer of incoming.answers) this.send(answer).catch(() => undefined);
  }
}
