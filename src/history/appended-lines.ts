import type { FileHandle } from 'node:fs/promises';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

/**
 * The complete lines between two offsets. Splits at the byte, not with node:readline, which also breaks lines at
 * U+2028 inside a JSON string. A last line that is still being written is left for the next reading.
 */
export async function* readCompleteLines(
  handle: FileHandle,
  start: number,
  end: number,
): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  let position = start;
  while (position < end) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.alloc(Math.min(CHUNK_BYTES, end - position)),
      position,
    });
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let lineStart = 0;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE, lineStart)) {
      yield rest.toString('utf8', lineStart, at);
      lineStart = at + 1;
    }
    rest = rest.subarray(lineStart);
  }
}

/** The offset behind the last line that is complete. */
export async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(end - start), position: start });
    const at = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
