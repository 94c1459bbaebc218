import { useState } from 'preact/hooks';
import type { ChangedFile } from '../../src/page/contract.js';
import { useDesk } from '../live/context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../texts/diff.js';
import { count } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';

/** The files that a session changed, from before its first change until now. */
export function Changes({ sessionId }: { readonly sessionId: string }) {
  const desk = useDesk();
  const { value, error, reload } = useLoaded(() => desk.call('changes', { sessionId }), sessionId);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <p class="empty muted">Loading…</p>;
  if (value.files.length === 0) {
    return (
      <div class="empty">
        <p>
          <strong>No changed files</strong>
          This session has not edited a file.
        </p>
      </div>
    );
  }
  return (
    <div class="changes">
      <p class="muted">{count(value.files.length, 'file')} changed</p>
      {value.files.map((file) => (
        <FileView key={file.path} file={file} />
      ))}
    </div>
  );
}

function FileView({ file }: { readonly file: ChangedFile }) {
  const [isWhole, setWhole] = useState(false);
  // A note says which text cannot be shown.
  const isKnown = file.note === undefined && (file.before ?? file.after) !== undefined;
  return (
    <section class="what">
      <h3 class="path">
        <span>
          <VisibleText text={file.path} />
        </span>
        {isKnown && file.before === undefined && <span class="tag new">new file</span>}
        {isKnown && file.after === undefined && <span class="tag gone">deleted</span>}
      </h3>
      {file.note !== undefined && <p class="note">{file.note}</p>}
      {(file.before !== undefined || file.after !== undefined) && (
        <Diff
          before={file.before}
          after={file.after ?? ''}
          isSame={file.isSame === true}
          isWhole={isWhole}
          onWhole={() => setWhole(true)}
        />
      )}
    </section>
  );
}
