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

/**
 * Yields the complete lines before an offset, the last one first: exactly those that `readLineBytes` yields from the
 * start of the file to that offset, in reverse order.
 */
export async function* readLastLines(handle: FileHandle, end: number): AsyncGenerator<LineBytes> {
  // Parts of a line that began in an earlier chunk, the last part first.
  let pieces: Buffer[] = [];
  let hasTurn = false;
  // The offset of the newline that ends the line. Text after the last newline of the file is an unfinished line.
  let lineEnd: number | undefined;
  let position = Math.min(end, MAX_READ_BYTES);
  let chunkBytes = FIRST_CHUNK_BYTES;
  try {
    while (position > 0) {
      const chunk = await readBefore(handle, position, Math.min(chunkBytes, position));
      if (chunk === undefined) return;
      chunkBytes = Math.min(2 * chunkBytes, CHUNK_BYTES);
      position -= chunk.length;
      let to = chunk.length;
      for (let at = newlineBefore(chunk, to); at !== -1; at = newlineBefore(chunk, to)) {
        const start = position + at + 1;
        if (lineEnd !== undefined && lineEnd - start <= MAX_LINE_BYTES)
          yield { start, bytes: joined(chunk.subarray(at + 1, to), pieces) };
        pieces = [];
        if (hasTurn) longLines.end();
        hasTurn = false;
        lineEnd = position + at;
        to = at;
      }
      if (lineEnd === undefined) continue;
      if (lineEnd - position > MAX_LINE_BYTES) pieces = [];
      else if (to > 0) pieces.push(chunk.subarray(0, to));
      if (!hasTurn && lineEnd - position > LONG_LINE_BYTES) {
        await longLines.begin();
        hasTurn = true;
      }
    }
    if (lineEnd !== undefined && lineEnd <= MAX_LINE_BYTES)
      yield { start: 0, bytes: joined(Buffer.alloc(0), pieces) };
  } finally {
    if (hasTurn) longLines.end();
  }
}

/** Undefined if the file has become shorter. */
async function readBefore(handle: FileHandle, end: number, length: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, end - length + filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return buffer;
}

function newlineBefore(chunk: Buffer, end: number): number {
  return end === 0 ? -1 : chunk.lastIndexOf(NEWLINE, end - 1);
}

function joined(first: Buffer, pieces: readonly Buffer[]): Buffer {
  return pieces.length === 0 ? first : Buffer.concat([first, ...pieces.toReversed()]);
}
