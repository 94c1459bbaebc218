import { join } from 'node:path';
import { changedFile } from '../core/claude/claude-tools.js';
import { asText, isObject, ownValue, parseJson, type JsonObject } from '../core/json.js';
import { entriesIn } from '../files/folder-names.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
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

/** A file that the session changed with a file tool, and its text before the first change. */
export interface RecordedChange {
  readonly path: string;
  /** Null: there was no file. Undefined: it is not on record. */
  readonly original: string | null | undefined;
}

const maxAgentFiles = 200;
const maxChangedFiles = 200;

/** The call with this id, in the conversation or one of its subagents. */
export async function readToolCall(path: string, toolUseId: string): Promise<RecordedCall | undefined> {
  const mark = Buffer.from(JSON.stringify(toolUseId));
  for (const file of await filesOf(path)) {
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
  const first = new Map<string, RecordedChange & { readonly at: string }>();
  for (const file of await filesOf(path)) {
    // Subagents record no originals, so all of their calls are read.
    const isOfAgent = file !== path;
    const calls = new Map<string, string>();
    for await (const line of linesWith(file, ...marks, ...(isOfAgent ? callMarks : []))) {
      const change = changeIn(line) ?? (isOfAgent ? changeByAgent(line, calls) : undefined);
      if (change === undefined) continue;
      const at = asText(ownValue(line, 'timestamp')) ?? '';
      const known = first.get(change.path);
      if (known === undefined ? first.size < maxChangedFiles : at < known.at)
        first.set(change.path, { ...change, at });
    }
  }
  return [...first.values()]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ path: changed, original }) => ({ path: changed, original }));
}

const callMarks = [Buffer.from('"tool_use"'), Buffer.from('"tool_result"')];

/** The file that a call has changed, once it has succeeded. `calls` has the files of calls so far. */
function changeByAgent(line: unknown, calls: Map<string, string>): RecordedChange | undefined {
  for (const block of blocksIn(line)) {
    const input = ownValue(block, 'input');
    const file = isObject(input) ? changedFile(asText(ownValue(block, 'name')) ?? '', input) : undefined;
    if (file !== undefined) calls.set(asText(ownValue(block, 'id')) ?? '', file);
    const changed = calls.get(asText(ownValue(block, 'tool_use_id')) ?? '');
    if (changed !== undefined && ownValue(block, 'is_error') !== true)
      return { path: changed, original: undefined };
  }
  return undefined;
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

/** The transcript, and those of its subagents. */
async function filesOf(path: string): Promise<readonly string[]> {
  const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
  const entries = await entriesIn(folder).catch(() => []);
  const agents = entries.filter(({ name }) => /^agent-[\w-]+\.jsonl$/.test(name)).slice(0, maxAgentFiles);
  return [path, ...agents.map(({ name }) => join(folder, name))];
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
