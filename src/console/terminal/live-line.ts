import type { Clock } from '../../core/clock.js';

/** What the last line of a terminal shows, in at most so many columns. */
export type Status = (now: number, columns: number) => string;

export interface LiveSettings {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  /** Undefined: not a terminal, so there is no last line to replace. */
  readonly columns: (() => number) | undefined;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const frameMs = 100;
const clearLine = '\r\u001b[2K';

/** Lines that stay, and below them one that moves. */
export class LiveLine {
  readonly #settings: LiveSettings;
  #status: Status | undefined;
  #frame = 0;
  #stopTimer: (() => void) | undefined;

  constructor(settings: LiveSettings) {
    this.#settings = settings;
  }

  print(text: string): void {
    this.#clear();
    this.#settings.write(`${text}\n`);
    this.#draw();
  }

  follow(status: Status): void {
    if (this.#settings.columns === undefined) return;
    this.#status = status;
    this.#draw();
    if (this.#stopTimer === undefined) this.#tick();
  }

  /** Removes the last line. Idempotent. */
  end(): void {
    this.#clear();
    this.#status = undefined;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #tick(): void {
    this.#stopTimer = this.#settings.clock.after(frameMs, () => {
      this.#frame += 1;
      this.#draw();
      this.#tick();
    });
  }

  #draw(): void {
    const { columns, clock, write } = this.#settings;
    if (this.#status === undefined || columns === undefined) return;
    const frame = frames[this.#frame % frames.length] ?? '';
    // A line that fills the last column would wrap.
    write(`${clearLine}${frame} ${this.#status(clock.now(), Math.max(0, columns() - 3))}`);
  }

  #clear(): void {
    if (this.#status !== undefined) this.#settings.write(clearLine);
  }
}
