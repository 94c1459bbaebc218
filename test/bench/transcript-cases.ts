/** Transcripts as Claude Code writes them, read in pages. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readMessages } from '../../src/history/message-page.js';

interface Prepared {
  readonly act: () => Promise<unknown>;
  readonly end: () => Promise<void>;
}

const PAGE = 20;

/** A caller reads a whole conversation, newest first. */
export async function allPagesOf(root: string, count: number): Promise<Prepared> {
  const path = writeTranscript(root, count);
  return { act: () => readAllPages(path, count), end: async () => undefined };
}

/** A caller reads the newest messages only. */
export async function newestPageOf(root: string, count: number): Promise<Prepared> {
  const path = writeTranscript(root, count);
  return { act: () => readNewest(path), end: async () => undefined };
}

export async function readNewest(path: string): Promise<void> {
  const { messages } = await readMessages(path, { order: 'newest', offset: 0, limit: 10 });
  if (messages.length !== 10) throw new Error(`the newest page has ${messages.length} messages`);
}

export async function readAllPages(path: string, count: number): Promise<void> {
  let seen = 0;
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = await readMessages(path, { order: 'newest', offset, limit: PAGE });
    seen += page.messages.length;
    offset = page.hasMore ? page.messages.at(-1)?.cursor : undefined;
  }
  if (seen !== count) throw new Error(`the pages have ${seen} messages instead of ${count}`);
}

/** Prompts, tool calls, results and answers of about a kilobyte each, with Claude Code's bookkeeping in between. */
export function writeTranscript(folder: string, count: number): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.jsonl`);
  const file = openSync(path, 'wx', 0o600);
  for (let index = 0; index < count; index += 1) writeSync(file, linesOf(index));
  closeSync(file);
  return path;
}

function linesOf(index: number): string {
  const text = `Message ${index}. ${'Some words of a conversation. '.repeat(30)}`;
  const id = `toolu_${Math.floor(index / 2)}`;
  const contents = [
    [{ type: 'text', text }],
    [{ type: 'tool_use', id, name: 'Bash', input: { command: text } }],
    [{ type: 'tool_result', tool_use_id: id, content: text }],
    [{ type: 'text', text }],
  ];
  const role = index % 2 === 0 ? 'user' : 'assistant';
  const common = { uuid: randomUUID(), timestamp: new Date(index * 1_000).toISOString(), isSidechain: false };
  const message = { ...common, type: role, message: { role, content: contents[index % 4] } };
  const bookkeeping = { type: 'cost-state', totalCostUSD: index, modelUsage: {} };
  return `${JSON.stringify(message)}\n${JSON.stringify(bookkeeping)}\n`;
}
