import { useMemo, useState } from 'preact/hooks';
import { diffRows, segments, textOf, type DiffRow, type DiffSegment } from './diff-rows.js';
import { memo } from './memo.js';
import { count } from './time.js';
import { VisibleText } from './visible-text.js';

interface DiffProps {
  /** Undefined: the file is new, or its content is not known. */
  readonly before: string | undefined;
  readonly after: string;
  /** The original texts are the same, also in what is not shown of them. */
  readonly isSame: boolean;
  /** Not the whole file: line numbers and its end are not known. */
  readonly isPart?: boolean;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
}

const maxRows = 60;
const maxChars = 6000;

/** Changed lines only, since unchanged ones are not part of what runs. */
export function isLongDiff(before: string | undefined, after: string): boolean {
  const changed = diffRows(before ?? '', after).filter(({ kind }) => kind !== 'same');
  return changed.length > maxRows || changed.reduce((sum, row) => sum + textOf(row).length, 0) > maxChars;
}

export const Diff = memo(function Diff({
  before,
  after,
  isSame,
  isPart = false,
  isWhole,
  onWhole,
}: DiffProps) {
  const rows = useMemo(() => diffRows(before ?? '', after), [before, after]);
  const all = useMemo(() => segments(rows), [rows]);
  const isFolded = !isWhole && isLongDiff(before, after);
  const added = rows.filter(({ kind }) => kind === 'add').length;
  const removed = rows.filter(({ kind }) => kind === 'del').length;
  if (added + removed === 0) return <p class="muted pad">{withoutRows(after, isSame)}</p>;
  return (
    <div class={`code${isFolded ? ' folded' : ''}`}>
      <p class="diff-sum">
        <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
        <span class="sr-only">{`${count(added, 'line')} added, ${count(removed, 'line')} removed`}</span>
      </p>
      <div class={`diff${isPart ? ' part' : ''}`} dir="ltr">
        {(isFolded ? firstRows(all) : all).map((segment, index) => (
          <Segment key={index} segment={segment} />
        ))}
      </div>
      {isFolded && (
        <button type="button" class="unfold" onClick={onWhole}>
          Show all {count(added + removed, 'changed line')}
        </button>
      )}
    </div>
  );
});

/** Texts that look the same need not be the same. */
function withoutRows(after: string, isSame: boolean): string {
  if (after === '') return 'The text is empty.';
  return isSame
    ? 'No line changes.'
    : 'Both texts look the same here, but they can differ in what is not shown.';
}

function firstRows(all: readonly DiffSegment[]): readonly DiffSegment[] {
  const result: DiffSegment[] = [];
  let [left, chars] = [maxRows, maxChars];
  for (const segment of all) {
    if (left <= 0 || chars <= 0) break;
    if (segment.type === 'gap') {
      result.push(segment);
      continue;
    }
    const rows: DiffRow[] = [];
    for (const row of segment.rows.slice(0, left)) {
      if (chars <= 0) break;
      const text = textOf(row);
      rows.push(text.length <= chars ? row : cutRow(row, text, chars));
      chars -= text.length;
    }
    left -= rows.length;
    result.push({ type: 'rows', rows });
  }
  return result;
}

function cutRow(row: DiffRow, text: string, chars: number): DiffRow {
  return { ...row, parts: [{ text: `${text.slice(0, chars)} …`, isChanged: false }] };
}

function Segment({ segment }: { readonly segment: DiffSegment }) {
  const [isOpen, setOpen] = useState(false);
  if (segment.type === 'gap' && !isOpen) {
    return (
      <button type="button" class="gap" onClick={() => setOpen(true)}>
        {count(segment.rows.length, 'unchanged line')}
      </button>
    );
  }
  return (
    <>
      {segment.rows.map((row) => (
        <Row key={`${row.kind}${row.before ?? ''}-${row.after ?? ''}`} row={row} />
      ))}
    </>
  );
}

const signs = { same: ' ', add: '+', del: '−' } as const;

function Row({ row }: { readonly row: DiffRow }) {
  return (
    <div class={`row ${row.kind}`}>
      <span class="num">{row.before}</span>
      <span class="num">{row.after}</span>
      <span class="sign">{signs[row.kind]}</span>
      <code>
        {row.parts.map((part, index) =>
          part.isChanged ? (
            <mark key={index}>
              <VisibleText text={part.text} />
            </mark>
          ) : (
            <VisibleText key={index} text={part.text} />
          ),
        )}
        {row.lacksNewline && row.kind !== 'same' && <span class="no-newline"> no newline at the end</span>}
      </code>
    </div>
  );
}
