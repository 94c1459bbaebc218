import { asText, isObject, ownValue, type JsonObject } from '../core/json.js';
import type { TextEdit } from '../core/text/undo-edits.js';
import { readLineBytes } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import { AgentCalls, callMarks, editIn, type FileChange, type RecordedChange } from './agent-calls.js';
import { conversationFiles } from './conversation-files.js';
import { parseLine, textOfBlocks } from './message-line.js';
import { Room } from './room.js';

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
/** Of all originals and edits together. Those beyond are not known. */
const maxKeptChars = 50_000_000;
/** The system takes no longer paths, and Claude Code writes no longer times. */
const maxPathChars = 4_096;
const maxTimeChars = 40;
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
  first: Omit<FileChange, 'edit'> & { readonly at: string };
  edits: (TextEdit & { readonly at: string })[] | undefined;
}

/** The files that the session and its subagents changed, in the order of their first change. */
export async function readChanges(path: string): Promise<readonly RecordedChange[]> {
  const marks = [Buffer.from('"originalFile"'), Buffer.from('"original_file"')];
  const room = new Room(maxKeptChars);
  const files = new Map<string, ChangesOfFile>();
  for (const file of await conversationFiles(path)) {
    // Subagents record no originals, so all of their calls are read.
    const calls = file === path ? undefined : new AgentCalls();
    for await (const line of linesWith(file, ...marks, ...(calls === undefined ? [] : callMarks))) {
      const change = changeIn(line) ?? calls?.note(blocksIn(line));
      const at = asText(ownValue(line, 'timestamp')) ?? '';
      if (change === undefined || change.path.length > maxPathChars || at.length > maxTimeChars) continue;
      noteChange(files, { ...change, at }, room);
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

function noteChange(
  files: Map<string, ChangesOfFile>,
  { edit, at, ...change }: FileChange & { readonly at: string },
  room: Room,
): void {
  const known = files.get(change.path);
  if (known === undefined && files.size >= maxChangedFiles) return;
  if (known === undefined || at < known.first.at) {
    room.leave(known?.first.original);
    const first = { ...change, at, original: room.take(change.original) ? change.original : undefined };
    if (known === undefined) files.set(change.path, { first, edits: [] });
    else known.first = first;
  }
  const edits = files.get(change.path)?.edits;
  if (edits === undefined) return;
  if (edit !== undefined && edits.length < maxEdits && room.take(edit.before, edit.after))
    edits.push({ ...edit, at });
  else forgetEdits(files.get(change.path), room);
}

/** Without one of them, the others say nothing about the original. */
function forgetEdits(changes: ChangesOfFile | undefined, room: Room): void {
  for (const { before, after } of changes?.edits ?? []) room.leave(before, after);
  if (changes !== undefined) changes.edits = undefined;
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
      if (marks.some((mark) => bytes.includes(mark))) yield parseLine(bytes.toString('utf8'));
  } finally {
    await handle.close();
  }
}

function blocksIn(line: unknown): readonly unknown[] {
  const content = ownValue(line, 'message', 'content');
  return Array.isArray(content) ? content : [];
}
