import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { parseJson } from './json-file.js';
import { noFacts, noteLine, noteTitle, type TranscriptFacts } from './transcript-lines.js';

const kibibyte = 1024;
/** The first prompt and the folder stand in the first few lines. */
const headBytes = 16 * kibibyte;
/** Who has shown no prompt by here began with something else. */
const promptBytes = 64 * kibibyte;
/** A first prompt can be a mebibyte long and stands there twice, before the folder is told. */
const longestHeadBytes = 4 * 1024 * kibibyte;
/** Titles are repeated at the end of every turn. */
const tailBytes = 4 * kibibyte;

/** Not through a link that has taken the file's place since it was found, and never waiting for a pipe. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What a transcript says about its session; undefined when it is empty, damaged or cannot be read. */
export type TranscriptSummary = TranscriptFacts & { readonly cwd: string };

/** Reads the beginning and the end of transcripts, and as little of them as it can. */
export class SummaryReader {
  /** Long beginnings are read one at a time, because each needs memory. */
  #lastLongRead: Promise<unknown> = Promise.resolve();

  async read(path: string, bytes: number): Promise<TranscriptSummary | undefined> {
    if (bytes === 0) return undefined;
    try {
      const handle = await open(path, readFlags);
      try {
        return await this.#summarise(handle, bytes);
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  }

  async #summarise(handle: FileHandle, size: number): Promise<TranscriptSummary | undefined> {
    let facts = await readHead(handle, Math.min(size, headBytes));
    if (facts.firstPrompt === undefined && size > headBytes) {
      facts = await this.#alone(() => readHead(handle, Math.min(size, promptBytes)));
    }
    if (facts.cwd === undefined && size > promptBytes) {
      facts = await this.#alone(() => readHead(handle, Math.min(size, longestHeadBytes)));
    }
    const { cwd } = facts;
    if (cwd === undefined) return undefined;
    await readTail(handle, size, facts);
    return { ...facts, cwd };
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastLongRead.then(work);
    this.#lastLongRead = result.catch(() => undefined);
    return result;
  }
}

/** Stops at the first line that has all there is to know; a line that is cut off is not a line. */
async function readHead(handle: FileHandle, length: number): Promise<TranscriptFacts> {
  const text = await readText(handle, 0, length);
  const facts = noFacts();
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    noteLine(facts, parseJson(text.slice(start, end)));
    if (facts.firstPrompt !== undefined && facts.cwd !== undefined && facts.origin !== undefined) break;
    start = end + 1;
  }
  return facts;
}

async function readTail(handle: FileHandle, size: number, facts: TranscriptFacts): Promise<void> {
  const length = Math.min(size, tailBytes);
  const text = await readText(handle, size - length, length);
  for (const line of text.split('\n')) {
    if (line.includes('Title"')) noteTitle(facts, parseJson(line));
  }
}

async function readText(handle: FileHandle, position: number, length: number): Promise<string> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(length), position });
  return buffer.toString('utf8', 0, bytesRead);
}
