import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface LineProcessSettings {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const stderrChars = 2_000;
const endMs = 5_000;

/** A program that reads and writes lines. */
export class LineProcess {
  readonly #child;
  readonly #lines: AsyncIterator<string>;
  readonly #exited: Promise<unknown>;
  #stderr = '';

  constructor({ file, args, cwd, env }: LineProcessSettings) {
    this.#child = spawn(file, args, { cwd, env, stdio: 'pipe', windowsHide: true });
    this.#exited = once(this.#child, 'exit').catch(() => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-stderrChars);
    });
    // Otherwise a write after its end would end this program.
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The end of what it wrote to stderr. */
  get stderrTail(): string {
    return this.#stderr.trim();
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Undefined when it has closed its output. */
  async read(): Promise<string | undefined> {
    const { done, value } = await this.#lines.next();
    return done === true ? undefined : value;
  }

  /** Ends its input, and after some seconds the process. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endMs);
    await this.#exited;
    clearTimeout(timer);
  }
}
