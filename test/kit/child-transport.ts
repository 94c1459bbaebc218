/**
 * A server process as an MCP transport. Unlike the SDK's stdio transport, it passes exactly the given environment,
 * reports how the process ended, keeps output that is not JSON-RPC, and can close stdin alone. It also lets a modern
 * client start one process only: the SDK probes its own transport in a second process, and any other transport in
 * place.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { deferred } from './deferred.js';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ChildOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

const CLOSE_LIMIT_MS = 5_000;

export class ChildTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  readonly #options: ChildOptions;
  readonly #exited = deferred<Exit>();
  readonly #strayLines: string[] = [];
  #stdout = '';
  #child: ChildProcessWithoutNullStreams | undefined;
  #stderr = '';
  #outlivedInput = false;
  #mayRead: Promise<void> = Promise.resolve();

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The stderr output so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The raw stdout output so far. */
  get stdout(): string {
    return this.#stdout;
  }

  /** Lines on stdout that are not JSON-RPC. Must stay empty. */
  get strayLines(): readonly string[] {
    return this.#strayLines;
  }

  /** Whether `close` had to kill it. */
  get outlivedInput(): boolean {
    return this.#outlivedInput;
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    const child = spawn(command, args, { env, cwd, stdio: 'pipe' });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.#stderr += chunk));
    // `exited` reports a dead server. An error from a late write adds nothing.
    child.stdin.on('error', () => {});
    // Each message of a flood waits for it.
    child.stdin.setMaxListeners(0);
    this.#watchExit(child);
    await once(child, 'spawn');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new Error('The input of the server is closed.');
    if (!stdin.write(serializeMessage(message))) await Promise.race([once(stdin, 'drain'), this.exited]);
  }

  /** Sends bytes as they are, which no well-behaved client would. */
  write(bytes: string | Uint8Array): void {
    this.#child?.stdin.write(bytes);
  }

  /** Stops reading until the returned function is called, to simulate a slow client. */
  holdReading(): () => void {
    const held = deferred();
    this.#mayRead = held.promise;
    return () => held.resolve();
  }

  endInput(): void {
    this.#child?.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends the input and waits for the exit. Kills a process that takes too long. */
  async close(): Promise<void> {
    if (!this.#child?.pid) return;
    this.endInput();
    const timer = setTimeout(() => {
      this.#outlivedInput = true;
      this.kill('SIGKILL');
    }, CLOSE_LIMIT_MS);
    await this.exited;
    clearTimeout(timer);
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.#strayLines.push(line);
      return;
    }
    this.onmessage?.(message);
  }

  // Delivers one message at a time. The SDK handles notifications a tick later than responses, so progress that arrives
  // together with its result would be lost.
  async #readLines(child: ChildProcessWithoutNullStreams): Promise<void> {
    for await (const line of createInterface({ input: child.stdout })) {
      this.#stdout += `${line}\n`;
      this.#receive(line);
      await nextTick();
      await this.#mayRead;
    }
  }

  #watchExit(child: ChildProcessWithoutNullStreams): void {
    const closed = Promise.all([once(child.stderr, 'close'), this.#readLines(child)]);
    child.once('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      // The remaining output arrives before `close`, but an orphan that inherited stdout can delay that event forever.
      void Promise.race([closed, pause(200)]).then(() => {
        this.#exited.resolve({ code, signal });
        this.onclose?.();
      });
    });
  }
}
