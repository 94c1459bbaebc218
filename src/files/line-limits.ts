import { Turns } from './turns.js';

export const NEWLINE = 0x0a;
/** The first read is short, because many callers need only a few lines. Each further read is twice as long. */
export const FIRST_CHUNK_BYTES = 16 * 1024;
export const CHUNK_BYTES = 1024 * 1024;
/** Longer than messages are, even with several images. A line without an end would fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Longer than any conversation. A file with holes can claim any size. */
export const MAX_READ_BYTES = 4 * 1024 * 1024 * 1024;

/** Reading several of these at the same time would fill the memory, so they wait for each other. */
export const LONG_LINE_BYTES = 2 * 1024 * 1024;
export const longLines = new Turns(4);

export interface LineBytes {
  /** The offset of its first byte. */
  readonly start: number;
  /** Without the newline. */
  readonly bytes: Buffer;
}
