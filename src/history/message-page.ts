import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../core/errors.js';
import { keptPart } from '../core/text/kept-part.js';
import { readLastLines } from '../files/last-lines.js';
import { NEWLINE, type LineBytes } from '../files/line-limits.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { checkOf, readCursor, toCursor, type CursorPlace } from './message-cursor.js';
import { mayBeMessage, readMessage, type TranscriptMessage } from './message-line.js';

export interface PageRequest {
  readonly order: 'oldest' | 'newest';
  /** The number of messages to skip, or the cursor of the last message before the page. */
  readonly offset: number;
  readonly limit: number;
}

export interface PlacedMessage extends TranscriptMessage {
  /** The offset of the page after this message. */
  readonly cursor: number;
}

export interface MessagePage {
  readonly messages: readonly PlacedMessage[];
  readonly hasMore: boolean;
  /** Undefined for a long transcript, which would have to be read to its end. */
  readonly total: number | undefined;
}

/** More than an answer can show of one message. */
export const maxTextChars = 200_000;
/** Reading this much takes a few milliseconds. */
const maxCountedBytes = 1024 * 1024;

/** A page of the conversation, in file order or in reverse. Reads only the part of the file that the page needs. */
export async function readMessages(
  path: string,
  { order, offset, limit }: PageRequest,
): Promise<MessagePage> {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    const cursor = readCursor(offset);
    if (cursor !== undefined && !(await isCurrent(handle, cursor, size)))
      throw new AppError('transcript_offset_stale', { offset });
    let skip = cursor === undefined ? offset : 0;
    const messages: PlacedMessage[] = [];
    let hasMore = false;
    for await (const { start, message } of messagesOn(
      linesFrom(handle, { order, size, start: cursor?.start }),
    )) {
      if (start === cursor?.start || skip-- > 0) continue;
      hasMore = messages.length === limit;
      if (hasMore) break;
      const text = keptPart(message.text, maxTextChars);
      messages.push({ ...message, text, cursor: toCursor(start, message.uuid) });
    }
    return {
      messages,
      hasMore,
      total: size > maxCountedBytes ? undefined : await countMessages(handle, size),
    };
  } finally {
    await handle.close();
  }
}

interface Part {
  readonly order: PageRequest['order'];
  readonly size: number;
  readonly start: number | undefined;
}

function linesFrom(handle: FileHandle, { order, size, start }: Part): AsyncIterable<LineBytes> {
  return order === 'oldest' ? readLineBytes(handle, start ?? 0, size) : readLastLines(handle, start ?? size);
}

/** A cursor comes from a caller, and the transcript may have been replaced or truncated since it was returned. */
async function isCurrent(handle: FileHandle, { start, check }: CursorPlace, size: number): Promise<boolean> {
  if (start >= size || !(await isLineStart(handle, start))) return false;
  for await (const line of readLineBytes(handle, start, size)) {
    const message = line.start === start ? readMessage(line.bytes.toString('utf8')) : undefined;
    return message !== undefined && checkOf(message.uuid) === check;
  }
  return false;
}

async function isLineStart(handle: FileHandle, start: number): Promise<boolean> {
  if (start === 0) return true;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: start - 1 });
  return buffer[0] === NEWLINE;
}

async function countMessages(handle: FileHandle, size: number): Promise<number> {
  let count = 0;
  for await (const _ of messagesOn(readLineBytes(handle, 0, size))) count += 1;
  return count;
}

interface MessageOnLine {
  readonly start: number;
  readonly line: string;
  readonly message: TranscriptMessage;
}

/** The messages of the main conversation among these lines. */
export async function* messagesOn(
  lines: AsyncIterable<LineBytes>,
  mayHold: (bytes: Buffer) => boolean = mayBeMessage,
): AsyncGenerator<MessageOnLine> {
  for await (const { start, bytes } of lines) {
    if (!mayHold(bytes)) continue;
    const line = bytes.toString('utf8');
    const message = readMessage(line);
    if (message !== undefined) yield { start, line, message };
  }
}
