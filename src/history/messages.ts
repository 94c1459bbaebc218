import type { LineBytes } from '../files/line-limits.js';
import { readLastLines } from '../files/last-lines.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { keptPart } from '../core/text/kept-part.js';
import { mayBeMessage, mayBePrompt, readWholeText } from './message-line.js';
import { maxTextChars, messagesOn } from './message-page.js';

/** One whole message; undefined if the conversation has none with this uuid. */
export async function readMessageText(path: string, uuid: string): Promise<string | undefined> {
  // Only few lines contain the uuid, and only these are parsed.
  const lines = messagesOn(linesOf(path, 'oldest'), (bytes) => bytes.includes(uuid) && mayBeMessage(bytes));
  for await (const { line, message } of lines) {
    if (message.uuid === uuid) return readWholeText(line);
  }
  return undefined;
}

const maxOutputChars = 10_000_000;

/** Everything that Claude said in the conversation, without what it thought and did. Of very much text, the latest. */
export async function readOutput(path: string): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const { message } of messagesOn(linesOf(path, 'newest'))) {
    if (message.role !== 'assistant' || message.text === '') continue;
    const text = keptPart(message.text, maxOutputChars);
    length += text.length;
    if (length > maxOutputChars && texts.length > 0) break;
    texts.push(text);
  }
  return texts.toReversed().join('\n');
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
  for await (const { message } of messagesOn(linesOf(path, 'newest'), mayBePrompt)) {
    const at = message.role === 'user' ? Date.parse(message.at ?? '') : Number.NaN;
    if (Number.isNaN(at) || message.text === '') continue;
    prompts.push({ at, text: keptPart(message.text, maxTextChars) });
    if (prompts.length === maxPrompts) break;
  }
  return prompts.toReversed();
}

/** What Claude said last; undefined if it has said nothing. */
export async function readLastText(path: string): Promise<string | undefined> {
  for await (const { message } of messagesOn(linesOf(path, 'newest'))) {
    if (message.role === 'assistant' && message.text !== '') return message.text;
  }
  return undefined;
}

/** Reads the file in either direction. */
async function* linesOf(path: string, order: 'oldest' | 'newest'): AsyncGenerator<LineBytes> {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    yield* order === 'oldest' ? readLineBytes(handle, 0, size) : readLastLines(handle, size);
  } finally {
    await handle.close();
  }
}
