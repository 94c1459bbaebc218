import { asText, isObject, ownValue, parseJson, type JsonObject } from '../core/json.js';
import type { TextEdit } from '../core/text/undo-edits.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { AgentCalls, callMarks, editIn, type FileChange, type RecordedChange } from './agent-calls.js';
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
/** Of one file. */
const maxEdits = 500;

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

interface ChangesOfFile {
  /** The first change, and its time. */
  first: FileChange & { readonly at: string };
  edits: (TextEdit & { readonly at: string })[] | undefined;
}

/** The files that the session and its subagents changed, in the order of their first change. */
export async function readChanges(path: string): Promise<readonly RecordedChange[]> {
  const marks = [Buffer.from('"originalFile"'), Buffer.from('"original_file"')];
  let left = maxOriginalChars;
  const files = new Map<string, ChangesOfFile>();
  for (const file of await conversationFiles(path)) {
    // Subagents record no originals, so all of their calls are read.
    const calls = file === path ? undefined : new AgentCalls();
    for await (const line of linesWith(file, ...marks, ...(calls === undefined ? [] : callMarks))) {
      const change = changeIn(line) ?? calls?.note(blocksIn(line));
      if (change === undefined) continue;
      const at = asText(ownValue(line, 'timestamp')) ?? '';
      const known = files.get(change.path);
      if (known === undefined || at < known.first.at) left -= change.original?.length ?? 0;
      noteChange(files, left < 0 ? { ...change, original: undefined } : change, at);
    }
  }
  return [...files.values()]
    .toSorted(({ first: a }, { first: b }) => byTime(a, b))
    .map(({ first: { path: changed, original }, edits }) =>
      original !== undefined || edits === undefined
        ? { path: changed, original }
        : { path: changed, original, edits: edits.toSorted(byTime) },
    );
}

/** Changes of the same moment stay in the order of their lines. */
function byTime(a: { readonly at: string }, b: { readonly at: string }): number {
  return a.at === b.at ? 0 : a.at < b.at ? -1 : 1;
}

function noteChange(files: Map<string, ChangesOfFile>, change: FileChange, at: string): void {
  const { path, edit } = change;
  const known = files.get(path);
  if (known === undefined) {
    if (files.size < maxChangedFiles)
      files.set(path, { first: { ...change, at }, edits: edit && [{ ...edit, at }] });
    return;
  }
  if (at < known.first.at) known.first = { ...change, at };
  if (edit === undefined || (known.edits?.length ?? 0) >= maxEdits) known.edits = undefined;
  else known.edits?.push({ ...edit, at });
}

function changeIn(line: unknown): FileChange | undefined {
  const result = ownValue(line, 'toolUseResult');
  const path = ownValue(result, 'filePath') ?? ownValue(result, 'notebook_path');
  if (typeof path !== 'string') return undefined;
  const name = ['originalFile', 'original_file'].find(
    (key) => isObject(result) && Object.hasOwn(result, key),
  );
  if (name === undefined) return undefined;
  const original = ownValue(result, name);
  return {
    path,
    original: typeof original === 'string' || original === null ? original : undefined,
    edit: editIn(result, ['oldString', 'newString', 'replaceAll']),
  };
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
