import { inodeOf } from '../files/inode.js';
import { moveFile } from '../files/move-file.js';
import { openLines, type OpenLines } from './journal/journal-file.js';

/** Each attempt means that another server has moved the file away meanwhile. */
const maxAttempts = 10;

/**
 * The file with the newest events of a session. It stays open, because every answer waits for its writes: opening and
 * checking it for each of them takes eight turns of a busy event loop, and a write alone takes one.
 */
export class EventFile {
  readonly #path: string;
  readonly #olderPath: string;
  #open: OpenLines | undefined;

  constructor(path: string, olderPath: string) {
    this.#path = path;
    this.#olderPath = olderPath;
  }

  /** Appends complete lines, and begins a new file after `maxBytes`. */
  async append(text: string, maxBytes: number): Promise<void> {
    try {
      const bytes = await this.#append(text);
      if (bytes <= maxBytes) return;
      await moveFile(this.#path, this.#olderPath);
    } catch (error) {
      await this.close();
      throw error;
    }
    await this.close();
  }

  async close(): Promise<void> {
    const { handle } = this.#open ?? {};
    this.#open = undefined;
    await handle?.close();
  }

  async #append(text: string): Promise<number> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      this.#open ??= await openLines(this.#path);
      const { handle, lead, inode } = this.#open;
      const [, named] = await Promise.all([handle.appendFile(lead + text), inodeOf(this.#path)]);
      const bytes = this.#open.bytes + Buffer.byteLength(lead + text);
      this.#open = { ...this.#open, lead: '', bytes };
      if (named === inode) return bytes;
      // The lines are in the file that was moved away as well. A reader takes each event once.
      await this.close();
    }
    throw new Error(`${this.#path} is replaced again and again`);
  }
}
