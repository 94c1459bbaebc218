import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Redactor } from '../../core/observability/redactor.js';
import { TextTail } from '../../core/text/text-tail.js';

/** No process, no file handle or no memory to spare: in a moment there may be. */
const shortages: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const shownStderrChars = 4_000;
const keptStderrChars = 20_000;

/** What ends closes its output first; a busy system takes a moment to tell the rest. */
const endingMs = 500;

/** The Claude Code process itself: its end and its last words. */
export class ClaudeChild {
  readonly #process: ChildProcess;
  readonly #stderr: TextTail;
  /** Resolves with how it ended, in words. */
  readonly exited: Promise<string>;
  /** Resolves, in words, when it can say nothing more: it has closed its output, and mostly also ended. */
  readonly silent: Promise<string>;
  hasExited = false;
  /** The system could not start the executable: there never was a process. */
  neverStarted = false;
  /** It could not because the system was short of something that comes back. */
  isTransient = false;

  constructor(options: ChildOptions, redactor: Redactor) {
    this.#stderr = new TextTail((text) => redactor.redact(text), keptStderrChars);
    this.#process = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group: a Ctrl-C in the server's terminal must reach us first, so that we end it in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (chunk: string) => this.#stderr.add(chunk));
    // A write after the process has died would otherwise be an uncaught error of the whole server.
    this.#process.stdin?.on('error', () => undefined);
    this.silent = new Promise((resolve) => {
      this.#process.stdout?.once('close', () => {
        setTimeout(() => resolve('Claude Code closed its output'), endingMs).unref();
      });
    });
    this.exited = new Promise((resolve) => {
      this.#process.once('error', (error: NodeJS.ErrnoException) => {
        this.neverStarted = this.#process.pid === undefined;
        this.isTransient = this.neverStarted && shortages.has(error.code ?? '');
        this.#end(resolve, `Claude Code could not be started: ${explain(error, options.cwd)}`);
      });
      this.#process.once('exit', (code, signal) => {
        this.#end(
          resolve,
          signal === null ? `Claude Code exited with code ${code}` : `Claude Code was ended by ${signal}`,
        );
      });
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get stderrTail(): string {
    return this.#stderr.read().slice(-shownStderrChars).trim();
  }

  endInput(): void {
    this.#process.stdin?.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Throws when the system had no pipes left. */
  withPipes(): ChildProcess & { stdin: Writable; stdout: Readable } {
    const { stdin, stdout } = this.#process;
    // Undefined, whatever its type says, when the system has no descriptors left.
    if (!stdin || !stdout) throw new Error('the process was started without pipes');
    return Object.assign(this.#process, { stdin, stdout });
  }

  #end(resolve: (reason: string) => void, reason: string): void {
    this.hasExited = true;
    resolve(reason);
  }
}

/** The system blames the executable when it is the folder that is missing. */
function explain(error: Error, cwd: string | undefined): string {
  return cwd === undefined || existsSync(cwd) ? error.message : `the folder ${cwd} does not exist`;
}
