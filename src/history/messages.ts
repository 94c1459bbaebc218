import type { FileHandle } from 'node:fs/promises';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { mayBeMessage, readMessage, type TranscriptMessage } from './message-line.js';

export interface PageRequest {
  readonly order: 'oldest' | 'newest';
  readonly offset: number;
  readonly limit: number;
}

export interface MessagePage {
  readonly messages: readonly TranscriptMessage[];
  readonly total: number;
}

interface Place {
  readonly start: number;
  readonly length: number;
}

/**
 * A page of the conversation, in file order. The search stores only offsets and then reads the lines of the page,
 * because a transcript may be far larger than a page.
 */
export async function readMessages(
  path: string,
  { order, offset, limit }: PageRequest,
): Promise<MessagePage> {
  const handle = await openRegularFile(path);
  try {
    const places = await findMessages(handle);
    const ordered = order === 'oldest' ? places : places.toReversed();
    const messages: TranscriptMessage[] = [];
    for (const place of ordered.slice(offset, offset + limit)) {
      const message = readMessage(await readAt(handle, place));
      if (message !== undefined) messages.push(message);
    }
    return { messages, total: places.length };
  } finally {
    await handle.close();
  }
}

async function findMessages(handle: FileHandle): Promise<Place[]> {
  const { size } = await handle.stat();
  const places: Place[] = [];
  for await (const { start, bytes } of readLineBytes(handle, 0, size)) {
    if (mayBeMessage(bytes) && readMessage(bytes.toString('utf8')) !== undefined) {
      places.push({ start, length: bytes.length });
    }
  }
  return places;
}

async function readAt(handle: FileHandle, { start, length }: Place): Promise<string> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position: start });
  return buffer.toString('utf8', 0, bytesRead);
}
