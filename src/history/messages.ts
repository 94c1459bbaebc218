import type { FileHandle } from 'node:fs/promises';
import { readLineBytes, withLineAt, type LinePlace } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { keptPart } from '../core/text/kept-part.js';
import { mayBeMessage, readMessage, readWholeText, type TranscriptMessage } from './message-line.js';

export interface PageRequest {
  readonly order: 'oldest' | 'newest';
  readonly offset: number;
  readonly limit: number;
}

export interface MessagePage {
  readonly messages: readonly TranscriptMessage[];
  readonly total: number;
}

/** More than an answer can show of one message. */
const maxTextChars = 200_000;

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
      const message = await withLineAt(handle, place, shortMessage);
      if (message !== undefined) messages.push(message);
    }
    return { messages, total: places.length };
  } finally {
    await handle.close();
  }
}

/** One whole message; undefined if the conversation has none with this uuid. */
export async function readMessageText(path: string, uuid: string): Promise<string | undefined> {
  for await (const { line, message } of eachMessage(path)) {
    if (message.uuid === uuid) return readWholeText(line);
  }
  return undefined;
}

const maxOutputChars = 10_000_000;

/** Everything that Claude said in the conversation, without what it thought and did. Of very much text, the latest. */
export async function readOutput(path: string): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const { message } of eachMessage(path)) {
    if (message.role !== 'assistant' || message.text === '') continue;
    const text = keptPart(message.text, maxOutputChars);
    length += text.length;
    texts.push(text);
    while (length > maxOutputChars && texts.length > 1) length -= texts.shift()?.length ?? 0;
  }
  return texts.join('\n');
}

/** A prompt, and when the conversation received it. */
export interface TranscriptPrompt {
  readonly at: number;
  readonly text: string;
}

const maxPrompts = 200;

/** The latest prompts of the conversation, oldest first. */
export async function readPrompts(path: string): Promise<readonly TranscriptPrompt[]> {
  const prompts: TranscriptPrompt[] = [];
  for await (const { message } of eachMessage(path)) {
    const at = message.role === 'user' ? Date.parse(message.at ?? '') : Number.NaN;
    if (Number.isNaN(at) || message.text === '') continue;
    prompts.push({ at, text: keptPart(message.text, maxTextChars) });
    if (prompts.length > maxPrompts) prompts.shift();
  }
  return prompts;
}

/** What Claude said last; undefined if it has said nothing. */
export async function readLastText(path: string): Promise<string | undefined> {
  let last: string | undefined;
  for await (const { message } of eachMessage(path)) {
    if (message.role === 'assistant' && message.text !== '') last = message.text;
  }
  return last;
}

async function* eachMessage(path: string): AsyncIterable<{ line: string; message: TranscriptMessage }> {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    for await (const { bytes } of readLineBytes(handle, 0, size)) {
      if (!mayBeMessage(bytes)) continue;
      const line = bytes.toString('utf8');
      const message = readMessage(line);
      if (message !== undefined) yield { line, message };
    }
  } finally {
    await handle.close();
  }
}

async function findMessages(handle: FileHandle): Promise<LinePlace[]> {
  const { size } = await handle.stat();
  const places: LinePlace[] = [];
  for await (const { start, bytes } of readLineBytes(handle, 0, size)) {
    if (mayBeMessage(bytes) && readMessage(bytes.toString('utf8')) !== undefined) {
      places.push({ start, length: bytes.length });
    }
  }
  return places;
}

function shortMessage(line: string): TranscriptMessage | undefined {
  const message = readMessage(line);
  return message && { ...message, text: keptPart(message.text, maxTextChars) };
}
