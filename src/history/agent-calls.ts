import { changedFile } from '../core/claude/claude-tools.js';
import { asText, isObject, ownValue } from '../core/json.js';
import type { TextEdit } from '../core/text/undo-edits.js';
import { textOfBlocks } from './message-line.js';
import { Room } from './room.js';

/** A file that the session changed with a file tool, and its text before the first change. */
export interface RecordedChange {
  readonly path: string;
  /** Null: there was no file. Undefined: it is not on record. */
  readonly original: string | null | undefined;
  /** If the original is not on record: all edits of the file, in order. Undefined if it was changed in another way. */
  readonly edits?: readonly TextEdit[];
}

/** One change of a file. */
export interface FileChange extends Pick<RecordedChange, 'path' | 'original'> {
  readonly edit: TextEdit | undefined;
}

interface Call {
  readonly file: string;
  readonly kind: 'read' | 'change';
  readonly edit?: TextEdit | undefined;
}

/** Lines of a subagent's transcript that AgentCalls needs contain one of these. */
export const callMarks = [Buffer.from('"tool_use"'), Buffer.from('"tool_result"')];

/** Of calls whose results are not known, and of files that the agent has read. Those beyond are not known. */
const maxKeptChars = 50_000_000;
/** Far more than Claude makes at the same time. */
const maxCalls = 1_000;

/** Claude Code shows at most this much of a file, and of a line. */
const maxReadLines = 2_000;
const maxReadLineChars = 2_000;

/**
 * The files that a subagent changed. Its transcript records no originals, but Claude Code changes a file only as the
 * agent has read it: the text that the agent read before the change is the original.
 */
export class AgentCalls {
  /** By the id of the call, while its result is not known. */
  readonly #calls = new Map<string, Call>();
  /** The whole text of each file as the agent has last read it. */
  readonly #texts = new Map<string, string>();
  readonly #room = new Room(maxKeptChars);

  /** The blocks of the next line. Returns the change that they report, once it has succeeded. */
  note(blocks: readonly unknown[]): FileChange | undefined {
    let change: FileChange | undefined;
    for (const block of blocks) {
      const call = callIn(block);
      if (call !== undefined) this.#noteCall(asText(ownValue(block, 'id')) ?? '', call);
      change ??= this.#noteResult(block);
    }
    return change;
  }

  #noteCall(id: string, call: Call): void {
    this.#endCall(id);
    if (this.#calls.size < maxCalls && this.#room.take(...textsOf(id, call))) this.#calls.set(id, call);
  }

  #endCall(id: string): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#room.leave(...textsOf(id, call));
    this.#calls.delete(id);
    return call;
  }

  #noteText(path: string, text: string | undefined): void {
    const known = this.#texts.get(path);
    if (known !== undefined) this.#room.leave(path, known);
    this.#texts.delete(path);
    if (text !== undefined && this.#room.take(path, text)) this.#texts.set(path, text);
  }

  #noteResult(block: unknown): FileChange | undefined {
    const call = this.#endCall(asText(ownValue(block, 'tool_use_id')) ?? '');
    if (call === undefined || ownValue(block, 'is_error') === true) return undefined;
    const { file: path, kind, edit } = call;
    const result = textOfBlocks(ownValue(block, 'content'));
    if (kind === 'change') {
      const original = result.startsWith('File created successfully') ? null : this.#texts.get(path);
      this.#noteText(path, undefined);
      return { path, original, edit };
    }
    this.#noteText(path, withoutNumbers(result));
    return undefined;
  }
}

function textsOf(id: string, { file, edit }: Call): readonly (string | undefined)[] {
  return [id, file, edit?.before, edit?.after];
}

function callIn(block: unknown): Call | undefined {
  const [name, input] = [asText(ownValue(block, 'name')) ?? '', ownValue(block, 'input')];
  if (ownValue(block, 'type') !== 'tool_use' || !isObject(input)) return undefined;
  const changed = changedFile(name, input);
  if (changed !== undefined)
    return {
      file: changed,
      kind: 'change',
      edit: editIn(input, ['old_string', 'new_string', 'replace_all']),
    };
  const read = name === 'Read' ? asText(ownValue(input, 'file_path')) : undefined;
  // A part of a file is not its original.
  if (read === undefined || Object.keys(input).some((key) => key !== 'file_path')) return undefined;
  return { file: read, kind: 'read' };
}

/** The edit that these keys describe. Undefined if it replaces several places, or is none. */
export function editIn(
  value: unknown,
  [beforeKey, afterKey, allKey]: readonly [string, string, string],
): TextEdit | undefined {
  const [before, after] = [ownValue(value, beforeKey), ownValue(value, afterKey)];
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return ownValue(value, allKey) === true ? undefined : { before, after };
}

/** The text of a whole file in the result of a Read, `1\tfirst\n2\tsecond`. Undefined if some of it may be missing. */
function withoutNumbers(result: string): string | undefined {
  const [shown = ''] = result.split('\n\n<system-reminder>');
  const lines: string[] = [];
  for (const numbered of shown.split('\n')) {
    const [prefix, number] = /^ *(\d+)[\t\u2192]/.exec(numbered) ?? [];
    const line = numbered.slice(prefix?.length);
    if (Number(number) !== lines.length + 1 || line.length >= maxReadLineChars) return undefined;
    lines.push(line);
  }
  return lines.length >= maxReadLines ? undefined : lines.join('\n');
}
