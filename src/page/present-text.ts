import { isDeepStrictEqual } from 'node:util';
import { asList, asText, ownValue, parseJson, type JsonObject } from '../core/json.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { SessionView } from '../session/session-view.js';
import { readSessionFile, type FileText } from '../sessions/session-files.js';
import type { PresentText } from './what.js';

type Problem = Extract<FileText, { readonly problem: string }>['problem'];

/** Why a file is not shown. */
const notes: Readonly<Record<Exclude<Problem, 'missing'>, string>> = {
  outside: "The file is outside the session's folders, so its current content is not shown.",
  too_long: 'The file is longer than 500,000 bytes, so its current content is not shown.',
  binary: 'The file is not text, so its current content is not shown.',
  unreadable: 'The file cannot be read, so its current content is not shown.',
};

/** A file as it is now. It has neither text nor note if it does not exist. */
export async function presentFile(
  path: string,
  view: Pick<SessionView, 'options'>,
  from?: string,
): Promise<PresentText> {
  const found = await readSessionFile(path, { ...view.options, from });
  if ('text' in found) return { text: found.text };
  return { text: undefined, ...(found.problem === 'missing' ? {} : { note: notes[found.problem] }) };
}

interface ReadText {
  readonly file: PresentText;
  readonly present: PresentText;
}

/** What was read last for a request: many streams show it, and finding secrets in a long file takes a while. */
const lastRead = new WeakMap<InputRequest, ReadText>();

/** What the file contains that a call is about to replace, masked like the call itself. */
export async function presentTextFor(
  request: InputRequest,
  view: SessionView | undefined,
  redactor: Redactor,
): Promise<PresentText> {
  const { toolName, input, folder } = request;
  const path = asText(toolName === 'NotebookEdit' ? input['notebook_path'] : input['file_path']);
  if (view === undefined || path === undefined || (toolName !== 'Write' && toolName !== 'NotebookEdit'))
    return { text: undefined };
  const file = await presentFile(path, view, folder);
  const last = lastRead.get(request);
  if (last !== undefined && isDeepStrictEqual(last.file, file)) return last.present;
  const present = redactor.maskForApprover(toolName === 'Write' ? file : cellOf(file, input));
  lastRead.set(request, { file, present });
  return present;
}

/** The cell that a call replaces or deletes. */
function cellOf({ text, note }: PresentText, { cell_id: id, edit_mode: mode }: JsonObject): PresentText {
  if (text === undefined) return note === undefined ? { text } : { text, note };
  if (mode === 'insert') return { text: undefined, note: 'This inserts a new cell.' };
  const cell = cellWith(id, asList(ownValue(parseJson(text), 'cells')));
  const source = ownValue(cell, 'source');
  const lines = typeof source === 'string' ? source : asList(source).join('');
  return cell === undefined
    ? {
        text: undefined,
        note: 'The cell was not found in the notebook, so its current content is not shown.',
      }
    : { text: lines };
}

/** Claude Code also finds a cell by its index, as `cell-3`, unless a cell has this id. */
function cellWith(id: unknown, cells: readonly unknown[]): unknown {
  const index = /^cell-(\d+)$/.exec(asText(id) ?? '')?.[1];
  const named = cells.find((cell) => ownValue(cell, 'id') === id && id !== undefined);
  return named ?? (index === undefined ? undefined : cells[Number(index)]);
}
