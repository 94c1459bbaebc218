import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../core/json.js';
import { openRegularFile, withoutLinks } from '../files/regular-file.js';
import { noFacts, noteLine, noteTitle, type TranscriptFacts } from './transcript-lines.js';

const newline = 0x0a;
const kibibyte = 1024;
/** The first few lines contain the first prompt and the folder. */
const headBytes = 16 * kibibyte;
/** If no prompt appears before this point, the transcript began with something else. */
const promptBytes = 64 * kibibyte;
/** A first prompt can be a mebibyte long, or contain images. It appears twice before the folder does. */
const longestHeadBytes = 16 * 1024 * kibibyte;
/** Claude Code repeats the title at the end of every turn. */
const tailBytes = 4 * kibibyte;

/** The summary of a session. Undefined when its transcript is empty, damaged or unreadable. */
export type TranscriptSummary = TranscriptFacts & { readonly cwd: string };

/** Reads as little as possible of the beginning and the end of transcripts. */
export class SummaryReader {
  /** Long beginnings are read one at a time to limit memory. */
  #lastLongRead: Promise<unknown> = Promise.resolve();
  /** Reused buffers: new ones for ten thousand files would be megabytes of garbage. */
  readonly #rooms: Buffer[] = [];

  async read(path: string, bytes: number): Promise<TranscriptSummary | undefined> {
    if (bytes === 0) return undefined;
    try {
      // Does not follow a link that replaced the file after it was found.
      const handle = await openRegularFile(path, constants.O_RDONLY | withoutLinks);
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
    const room = this.#rooms.pop() ?? Buffer.alloc(headBytes);
    try {
      let facts = await readHead(handle, room.subarray(0, size));
      if (facts.firstPrompt === undefined && size > headBytes) {
        facts = await this.#readLongHead(handle, Math.min(size, promptBytes));
      }
      if (facts.cwd === undefined && size > promptBytes) {
        facts = await this.#readLongHead(handle, Math.min(size, longestHeadBytes));
      }
      const { cwd } = facts;
      if (cwd === undefined) return undefined;
      await readTail(handle, room.subarray(0, Math.min(size, tailBytes)), size, facts);
      return { ...facts, cwd };
    } finally {
      this.#rooms.push(room);
    }
  }

  #readLongHead(handle: FileHandle, length: number): Promise<TranscriptFacts> {
    const facts = this.#lastLongRead.then(() => readHead(handle, Buffer.alloc(length)));
    this.#lastLongRead = facts.catch(() => undefined);
    return facts;
  }
}

/** Stops when all facts are known. Ignores a truncated line. */
async function readHead(handle: FileHandle, bytes: Buffer): Promise<TranscriptFacts> {
  const facts = noFacts();
  for (const line of completeLines(await readInto(bytes, handle, 0))) {
    noteLine(facts, parseJson(line));
    if (facts.firstPrompt !== undefined && facts.cwd !== undefined && facts.origin !== undefined) break;
  }
  return facts;
}

async function readTail(
  handle: FileHandle,
  bytes: Buffer,
  size: number,
  facts: TranscriptFacts,
): Promise<void> {
  for (const line of completeLines(await readInto(bytes, handle, size - bytes.length))) {
    if (line.includes('Title"')) noteTitle(facts, parseJson(line));
  }
}

async function readInto(buffer: Buffer, handle: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await handle.read({ buffer, position });
  return buffer.subarray(0, bytesRead);
}

/** Decodes lines one at a time, so that the rest is never decoded. */
function* completeLines(bytes: Buffer): Generator<string> {
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
