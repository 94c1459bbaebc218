import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPart {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del';
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly parts: readonly DiffPart[];
  /** The last line of a file that does not end with a newline. */
  readonly lacksNewline: boolean;
}

/** Beyond this many changed lines a minimal diff takes too long; the whole file is shown as replaced. */
const maxEdits = 800;
const maxWordDiffChars = 500;
const maxWordDiffLines = 100;
/** Lines that differ in more words are not worth the time to mark them. */
const maxWordEdits = 50;

/** A card asks for the same diff several times: to fold it, to show it, and to know whether it may be allowed. */
const recent: { before: string; after: string; rows: readonly DiffRow[] }[] = [];
const maxRecent = 10;

export function diffRows(before: string, after: string): readonly DiffRow[] {
  const known = recent.find((diff) => diff.before === before && diff.after === after);
  if (known !== undefined) return known.rows;
  const rows = compare(before, after);
  recent.unshift({ before, after, rows });
  recent.length = Math.min(recent.length, maxRecent);
  return rows;
}

function compare(before: string, after: string): readonly DiffRow[] {
  const changes = diffLines(before, after, { maxEditLength: maxEdits }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const { value, added, removed } of changes) {
    const kind = added ? 'add' : removed ? 'del' : 'same';
    for (const line of linesOf(value)) {
      rows.push({
        kind,
        before: kind === 'add' ? undefined : oldLine++,
        after: kind === 'del' ? undefined : newLine++,
        parts: [{ text: line.replace(/\n$/, ''), isChanged: false }],
        lacksNewline: !line.endsWith('\n'),
      });
    }
  }
  return withWords(rows);
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Marks the changed words where as many lines were removed as were added after them. */
function withWords(rows: readonly DiffRow[]): readonly DiffRow[] {
  const result = [...rows];
  for (let start = 0; start < rows.length; start += 1) {
    if (rows[start]?.kind !== 'del' || rows[start - 1]?.kind === 'del') continue;
    const removed = runLength(rows, start, 'del');
    const added = runLength(rows, start + removed, 'add');
    if (removed !== added || removed > maxWordDiffLines) continue;
    for (let index = start; index < start + removed; index += 1) markWords(result, index, index + removed);
  }
  return result;
}

function runLength(rows: readonly DiffRow[], start: number, kind: DiffRow['kind']): number {
  let length = 0;
  while (rows[start + length]?.kind === kind) length += 1;
  return length;
}

function markWords(rows: DiffRow[], oldIndex: number, newIndex: number): void {
  const [old, fresh] = [rows[oldIndex], rows[newIndex]];
  if (old === undefined || fresh === undefined) return;
  const [oldText, newText] = [textOf(old), textOf(fresh)];
  if (oldText.length > maxWordDiffChars || newText.length > maxWordDiffChars) return;
  const words = diffWordsWithSpace(oldText, newText, { maxEditLength: maxWordEdits });
  if (words === undefined) return;
  const same = words.filter((word) => !word.added && !word.removed);
  const sameChars = same.reduce((sum, word) => sum + word.value.trim().length, 0);
  // Two lines with little in common are easier to read unmarked.
  if (sameChars * 3 < Math.min(oldText.trim().length, newText.trim().length)) return;
  rows[oldIndex] = { ...old, parts: partsOf(words.filter((word) => !word.added)) };
  rows[newIndex] = { ...fresh, parts: partsOf(words.filter((word) => !word.removed)) };
}

function partsOf(words: readonly { value: string; added: boolean; removed: boolean }[]): readonly DiffPart[] {
  return words.map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
}

export function textOf(row: DiffRow): string {
  return row.parts.map(({ text }) => text).join('');
}

export type DiffSegment =
  | { readonly type: 'rows'; readonly rows: readonly DiffRow[] }
  | { readonly type: 'gap'; readonly rows: readonly DiffRow[] };

const context = 3;

/** Cuts out long runs of unchanged lines. */
export function segments(rows: readonly DiffRow[]): readonly DiffSegment[] {
  const isNear = rows.map(() => false);
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    for (let near = index - context; near <= index + context; near += 1) {
      if (near >= 0 && near < rows.length) isNear[near] = true;
    }
  });
  const result: { type: 'rows' | 'gap'; rows: DiffRow[] }[] = [];
  rows.forEach((row, index) => {
    const type = isNear[index] === true ? 'rows' : 'gap';
    const last = result.at(-1);
    if (last?.type === type) last.rows.push(row);
    else result.push({ type, rows: [row] });
  });
  // A gap of a line or two takes as much room as the lines.
  return result.map((segment) => (segment.rows.length <= 2 ? { type: 'rows', rows: segment.rows } : segment));
}
