import { sizeAndInode, type Inode } from '../files/inode.js';
import { endOfLastLine, readCompleteLines } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { isUuid } from '../core/ids.js';
import { ownValue, parseJson } from '../core/json.js';

/** Older entries belong to sessions whose transcripts Claude Code has removed. */
const longestReadBytes = 16 * 1024 * 1024;
const maxSessions = 20_000;

/**
 * The prompts typed in the terminal, which Claude Code keeps in one file for all projects. Identifies terminal
 * sessions, and supplies the first prompt where the transcript begins with something else.
 */
export class PromptHistory {
  readonly #file: string;
  readonly #shorten: (text: string) => string;
  readonly #firstWords = new Map<string, string>();
  #inode: Inode | undefined;
  #readTo = 0;

  constructor(file: string, shorten: (text: string) => string) {
    this.#file = file;
    this.#shorten = shorten;
  }

  /** Reads the lines added since the last call. */
  async refresh(): Promise<void> {
    const handle = await openRegularFile(this.#file).catch(() => undefined);
    if (handle === undefined) return;
    try {
      const { size, inode } = await sizeAndInode(handle);
      if (inode !== this.#inode || size < this.#readTo) this.#startAnew(inode, size);
      if (size === this.#readTo) return;
      const end = await endOfLastLine(handle, size);
      for await (const line of readCompleteLines(handle, this.#readTo, end)) this.#note(parseJson(line));
      this.#readTo = Math.max(this.#readTo, end);
    } catch {
      // Optional: it only supplements the transcripts.
    } finally {
      await handle.close();
    }
  }

  has(sessionId: string): boolean {
    return this.#firstWords.has(sessionId);
  }

  firstWordsOf(sessionId: string): string | undefined {
    return this.#firstWords.get(sessionId);
  }

  #startAnew(inode: Inode, size: number): void {
    this.#firstWords.clear();
    this.#inode = inode;
    this.#readTo = Math.max(0, size - longestReadBytes);
  }

  #note(entry: unknown): void {
    const sessionId = ownValue(entry, 'sessionId');
    const display = ownValue(entry, 'display');
    // Anything else could be megabytes long.
    if (typeof sessionId !== 'string' || !isUuid(sessionId)) return;
    if (typeof display !== 'string' || this.#firstWords.has(sessionId)) return;
    this.#firstWords.set(sessionId, this.#shorten(display));
    if (this.#firstWords.size <= maxSessions) return;
    for (const oldest of this.#firstWords.keys()) {
      this.#firstWords.delete(oldest);
      return;
    }
  }
}
