import type { FileHandle } from 'node:fs/promises';
import {
  CHUNK_BYTES,
  FIRST_CHUNK_BYTES,
  LONG_LINE_BYTES,
  longLines,
  MAX_LINE_BYTES,
  MAX_READ_BYTES,
  NEWLINE,
  type LineBytes,
} from './line-limits.js';

const TAIL_BYTES = 64 * 1024;

/**
 * Yields the complete lines between two offsets. Does not use node:readline, which also splits at U+2028 inside a JSON
 * string. An unfinished last line is left for the next call. Skips lines that are too long.
 */
export async function* readLineBytes(
  handle: FileHandle,
  start: number,
  end: number,
): AsyncGenerator<LineBytes> {
  // Parts of a line that is longer than a chunk, joined at its end.
  let pieces: Buffer[] = [];
  let hasTurn = false;
  let lineStart = start;
  let position = start;
  const last = Math.min(end, start + MAX_READ_BYTES);
  let chunkBytes = FIRST_CHUNK_BYTES;
  try {
    while (position < last) {
      const { bytesRead, buffer } = await handle.read({
        buffer: Buffer.alloc(Math.min(chunkBytes, last - position)),
        position,
      });
      if (bytesRead === 0) return;
      chunkBytes = Math.min(2 * chunkBytes, CHUNK_BYTES);
      const chunk = buffer.subarray(0, bytesRead);
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, at);
        if (position + at - lineStart <= MAX_LINE_BYTES)
          yield { start: lineStart, bytes: pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]) };
        pieces = [];
        if (hasTurn) longLines.end();
        hasTurn = false;
        from = at + 1;
        lineStart = position + from;
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from));
      position += bytesRead;
      if (position - lineStart > MAX_LINE_BYTES) pieces = [];
      if (!hasTurn && position - lineStart > LONG_LINE_BYTES) {
        await longLines.begin();
        hasTurn = true;
      }
    }
  } finally {
    if (hasTurn) longLines.end();
  }
}

export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

/** Uses one line, whose place is known. */
export async function withLineAt<T>(
  handle: FileHandle,
  { start, length }: LinePlace,
  use: (line: string) => T,
): Promise<T> {
  const isLong = length > LONG_LINE_BYTES;
  if (isLong) await longLines.begin();
  try {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position: start });
    return use(buffer.toString('utf8', 0, bytesRead));
  } finally {
    if (isLong) longLines.end();
  }
}

/** The same as text. */
export async function* readCompleteLines(
  handle: FileHandle,
  start: number,
  end: number,
): AsyncGenerator<string> {
  for await (const { bytes } of readLineBytes(handle, start, end)) yield bytes.toString('utf8');
}

/** The offset after the last complete line. The end of the file if its last line is too long. */
export async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  let end = size;
  while (end > 0) {
    if (size - end > MAX_LINE_BYTES) return size;
    const start = Math.max(0, end - TAIL_BYTES);
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(end - start), position: start });
    const at = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
