import { join } from 'node:path';
import { isUuid } from '../core/ids.js';
import { appendLines, readLines, type ReadLines } from './journal/journal-file.js';
import { isoTime } from '../core/text/iso-time.js';

const dayMs = 86_400_000;

/** Which sessions have worked on a day, so that a report of a few days need not read every journal. */
export class DayIndex {
  readonly #folder: string;
  /** The sessions noted for `#date`. Only today's entries are asked for again. */
  readonly #noted = new Set<string>();
  #date = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Called before a session can spend anything. Resolves when it is on disk. */
  async note(name: string, at: number): Promise<void> {
    const date = dateOf(at);
    if (this.#date === date && this.#noted.has(name)) return;
    await appendLines(this.#path(date), `${name}\n`, { isDurable: true });
    if (this.#date !== date) this.#noted.clear();
    this.#date = date;
    this.#noted.add(name);
  }

  async namesOf(date: string, before?: ReadLines): Promise<ReadLines | undefined> {
    const read = await readLines(this.#path(date), before);
    return read && { ...read, lines: read.lines.filter((name) => isUuid(name)) };
  }

  #path(date: string): string {
    return join(this.#folder, `${date}.sessions`);
  }
}

export function dateOf(at: number): string {
  return isoTime(at).slice(0, 10);
}

/** The last days including today, oldest first. */
export function lastDates(days: number, now: number): string[] {
  return Array.from({ length: days }, (_, index) => dateOf(now - (days - 1 - index) * dayMs));
}
