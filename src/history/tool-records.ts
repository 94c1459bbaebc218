import { asText, isObject, ownValue, parseJson, type JsonObject } from '../core/json.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { AgentCalls, callMarks, type RecordedChange } from './agent-calls.js';
import { conversationFiles } from './conversation-files.js';
import { textOfBlocks } from './message-line.js';

/** A tool call as Claude Code recorded it. */
export interface RecordedCall {
  readonly toolName: string;
  readonly input: JsonObject;
  /** Undefined while the call runs, or if it never ended. */
  readonly result: string | undefined;
  readonly isError: boolean;
  /** The text of the file before the call changed it. Null: there was no file. */
  readonly original: string | null | undefined;
}

const maxChangedFiles = 200;
/** Of all originals together. Those beyond are not known. */
const maxOriginalChars = 50_000_000;

/** The call with this id, in the conversation or one of its subagents. */
export async function readToolCall(path: string, toolUseId: string): Promise<RecordedCall | undefined> {
  const mark = Buffer.from(JSON.stringify(toolUseId));
  for (const file of await conversationFiles(path)) {
    let used: unknown;
    let ended: { readonly block: unknown; readonly line: unknown } | undefined;
    for await (const line of linesWith(file, mark)) {
      for (const block of blocksIn(line)) {
        if (ownValue(block, 'id') === toolUseId) used = block;
        if (ownValue(block, 'tool_use_id') === toolUseId) ended = { block, line };
      }
    }
    if (used !== undefined) return recordedCall(used, ended);
  }
  return undefined;
}

function recordedCall(
  used: unknown,
  ended: { readonly block: unknown; readonly line: unknown } | undefined,
): RecordedCall {
  const input = ownValue(used, 'input');
  const change = changeIn(ended?.line);
  return {
    toolName: asText(ownValue(used, 'name')) ?? '',
    input: isObject(input) ? input : {},
    result: ended && textOfBlocks(ownValue(ended.block, 'content')),
    isError: ownValue(ended?.block, 'is_error') === true,
    original: change?.original,
  };
}

/** The files that the session and its subagents changed, in the order of their first change. */
export async function readChanges(path: string): Promise<readonly RecordedChange[]> {
  const marks = [Buffer.from('"originalFile"'), Buffer.from('"original_file"')];
  let left = maxOriginalChars;
  const first = new Map<string, RecordedChange & { readonly at: string }>();
  for (const file of await conversationFiles(path)) {
    // Subagents record no originals, so all of their calls are read.
    const calls = file === path ? undefined : new AgentCalls();
    for await (const line of linesWith(file, ...marks, ...(calls === undefined ? [] : callMarks))) {
      const change = changeIn(line) ?? calls?.note(blocksIn(line));
      if (change === undefined) continue;
      const at = asText(ownValue(line, 'timestamp')) ?? '';
      const known = first.get(change.path);
      if (known === undefined ? first.size >= maxChangedFiles : at >= known.at) continue;
      left -= change.original?.length ?? 0;
      first.set(change.path, { ...change, ...(left < 0 ? { original: undefined } : {}), at });
    }
  }
  return [...first.values()]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ path: changed, original }) => ({ path: changed, original }));
}

function changeIn(line: unknown): RecordedChange | undefined {
  const result = ownValue(line, 'toolUseResult');
  const path = ownValue(result, 'filePath') ?? ownValue(result, 'notebook_path');
  if (typeof path !== 'string') return undefined;
  const name = ['originalFile', 'original_file'].find(
    (key) => isObject(result) && Object.hasOwn(result, key),
  );
  if (name === undefined) return undefined;
  const original = ownValue(result, name);
  return { path, original: typeof original === 'string' || original === null ? original : undefined };
}

/** The lines that contain one of these texts. A file that cannot be read has none. */
async function* linesWith(path: string, ...marks: readonly Buffer[]): AsyncGenerator {
  const handle = await openRegularFile(path).catch(() => undefined);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    for await (const { bytes } of readLineBytes(handle, 0, size))
      if (marks.some((mark) => bytes.includes(mark))) yield parseJson(bytes.toString('utf8'));
  } finally {
    await handle.close();
  }
}

function blocksIn(line: unknown): readonly unknown[] {
  const content = ownValue(line, 'message', 'content');
  return Array.isArray(content) ? content : [];
}
