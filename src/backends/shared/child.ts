import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../core/errors.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { SystemUser } from '../../core/processes.js';
import { TextTail } from '../../core/text/text-tail.js';

/** The system is out of processes, descriptors or memory. A retry may succeed. */
const shortages: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined: the user of this server. */
  readonly user?: SystemUser | undefined;
}

const shownStderrChars = 4_000;
const keptStderrChars = 20_000;

/** A process closes its output before it exits. On a busy system the exit event follows later. */
const endingMs = 500;

/** The Claude Code process: its pipes, its exit and the end of its error stream. */
export class ClaudeChild {
  readonly #process: ChildProcess;
  readonly #stderr: TextTail;
  readonly program: readonly string[];
  /** Resolves with a sentence about the exit. */
  readonly exited: Promise<string>;
  /** Resolves with a sentence when the process has closed its output, which usually means that it has exited. */
  readonly silent: Promise<string>;
  hasExited = false;
  /** The executable could not be started, so no process ever existed. */
  neverStarted = false;
  /** The start failed for lack of a resource, so a retry may succeed. */
  isTransient = false;

  constructor(options: ChildOptions, redactor: Redactor) {
    this.#stderr = new TextTail((text) => redactor.redact(text), keptStderrChars);
    this.program = programOf(options);
    this.#process = started(options);
    this.#process.stderr?.setEncoding('utf8').on('data', (chunk: string) => this.#stderr.add(chunk));
    // Otherwise a write to a dead process would crash the server.
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
          signal === null
            ? `Claude Code exited with code ${code}`
            : `Claude Code was terminated by ${signal}`,
        );
      });
    });
  }

  /** How a person runs the same Claude Code in a terminal. */
  get command(): string {
    return this.program.join(' ');
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

  /** Throws when the system could not create pipes. */
  withPipes(): ChildProcess & { stdin: Writable; stdout: Readable } {
    const { stdin, stdout } = this.#process;
    // The types disagree, but both are undefined when the system runs out of descriptors.
    if (!stdin || !stdout) throw new Error('the process was started without pipes');
    return Object.assign(this.#process, { stdin, stdout });
  }

  #end(resolve: (reason: string) => void, reason: string): void {
    this.hasExited = true;
    resolve(reason);
  }
}

function started(options: ChildOptions): ChildProcess {
  const { command, args, cwd } = entered(options);
  try {
    return spawn(command, args, {
      cwd,
      env: options.env,
      // The system then also drops all supplementary groups, and all capabilities of root.
      ...options.user,
      stdio: ['pipe', 'pipe', 'pipe'],
      // In its own process group, so that Ctrl-C in the server's terminal reaches only the server, which shuts it down.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw isTooLong(error) ? tooLong(options) : error;
  }
}

/** Windows takes a command line that is too long for a path that is. */
export function isTooLong(error: unknown, platform = process.platform): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'E2BIG' || (code === 'ENAMETOOLONG' && platform === 'win32');
}

/** Names the longest part: the system does not say what it has refused. */
function tooLong({ args, env }: ChildOptions): AppError {
  const parts = [
    ...args.map((arg, index) => ({
      flag: /^--[\w-]+/.exec(arg)?.[0] ?? args[index - 1] ?? '',
      bytes: Buffer.byteLength(arg),
    })),
    ...Object.entries(env).map(([variable, value = '']) => ({ variable, bytes: Buffer.byteLength(value) })),
  ];
  const longest = parts.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  return new AppError('launch_too_long', longest);
}

/**
 * The system would enter the folder with the rights of this server, and change the user afterwards. A session could then
 * replace its folder by a link to one that its user cannot reach, and read there. A shell enters it as that user.
 */
function entered({ command, args, cwd, user }: ChildOptions): Pick<ChildOptions, 'command' | 'args' | 'cwd'> {
  if (user === undefined || cwd === undefined) return { command, args, cwd };
  const script = 'cd -P -- "$1" && shift && exec "$@"';
  return { command: '/bin/sh', args: ['-c', script, 'sh', cwd, command, ...args], cwd: '/' };
}

/** The executable, and the script that it runs if it is an interpreter. */
export function programOf({ command, args }: Pick<ChildOptions, 'command' | 'args'>): readonly string[] {
  return [command, ...scriptOf(args)];
}

/** A script follows its interpreter. */
export function scriptOf([first = '-']: readonly string[]): readonly string[] {
  return first.startsWith('-') ? [] : [first];
}

/** Windows starts no program in a folder with a longer path, although files there can be read and written. */
const longestFolderOnWindows = 258;

/** The system reports a missing working directory, or one whose path is too long, as a missing executable. */
export function explain(error: Error, cwd: string | undefined, platform = process.platform): string {
  if (cwd === undefined) return error.message;
  if (platform === 'win32' && cwd.length > longestFolderOnWindows)
    return `the path of the folder has ${cwd.length} characters, and Windows allows ${longestFolderOnWindows}. Use a shorter path, for example through a drive letter (subst)`;
  return existsSync(cwd) ? error.message : `the folder ${cwd} does not exist`;
}
