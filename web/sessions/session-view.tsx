import { useEffect, useState } from 'preact/hooks';
import type { SessionDetails } from '../../src/page/contract.js';
import { modeName } from '../inbox/words.js';
import { useDesk, useDeskState } from '../live/context.js';
import { toHash } from '../live/routes.js';
import { useLoaded } from '../live/use-loaded.js';
import { CopyText } from '../parts/copy.js';
import { Icon } from '../parts/icons.js';
import { NoteText } from '../parts/note-text.js';
import { Cost, StatusTag } from '../parts/status.js';
import { count } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';
import { Changes } from './changes.js';
import { Composer } from './composer.js';
import { Controls, ControlsNote } from './controls.js';
import { budgetOf } from './session-list.js';
import { TimelineView } from './timeline.js';

interface SessionViewProps {
  readonly sessionId: string;
  readonly tab: 'changes' | undefined;
}

export function SessionView({ sessionId, tab }: SessionViewProps) {
  const desk = useDesk();
  const live = useDeskState((state) => state.rows.get(sessionId));
  const { value, error, reload } = useLoaded(
    () => desk.call('session', { sessionId }),
    `${sessionId} ${live?.status ?? ''}`,
  );
  const details = value?.row.sessionId === sessionId ? value : undefined;

  useEffect(() => {
    if (details !== undefined) desk.watch(sessionId, details.head);
  }, [sessionId, details === undefined]);

  if (details === undefined) {
    return error === undefined ? (
      <p class="empty muted">Loading…</p>
    ) : (
      <Failed error={error} onRetry={reload} />
    );
  }
  const shown = live === undefined ? details : { ...details, row: live };
  return (
    <article class="session">
      <SessionHead details={shown} />
      <nav class="tabs" aria-label="Parts of the session">
        <a
          href={toHash({ screen: 'session', sessionId })}
          aria-current={tab === undefined ? 'page' : undefined}
        >
          Timeline
        </a>
        <a
          href={toHash({ screen: 'session', sessionId, tab: 'changes' })}
          aria-current={tab === 'changes' ? 'page' : undefined}
        >
          Changes
        </a>
      </nav>
      {tab === 'changes' ? (
        <Changes sessionId={sessionId} />
      ) : (
        <TimelineView key={sessionId} sessionId={sessionId} />
      )}
      {tab !== 'changes' && <Composer key={`composer-${sessionId}`} details={shown} onSent={reload} />}
    </article>
  );
}

function SessionHead({ details }: { readonly details: SessionDetails }) {
  const { row, model, mode, turns } = details;
  const [isOpen, setOpen] = useState(false);
  return (
    <header class="session-head">
      <div class="line">
        <h2>
          <VisibleText text={row.title} />
        </h2>
        <Controls details={details} />
      </div>
      <ControlsNote details={details} />
      <p class="session-facts">
        <StatusTag status={row.status} />
        {row.status !== 'disk' && <Cost costUsd={row.costUsd} {...budgetOf(row)} />}
        <span class="mono folder">
          <VisibleText text={row.folder} />
        </span>
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'Details'}
        </button>
      </p>
      {isOpen && (
        <dl class="origin">
          <div>
            <dt>Mode</dt>
            <dd>{modeName(mode)}</dd>
          </div>
          {model !== undefined && (
            <div>
              <dt>Model</dt>
              <dd>{model}</dd>
            </div>
          )}
          <div>
            <dt>Turns</dt>
            <dd>{count(turns, 'turn')}</dd>
          </div>
          {details.resumeCommand !== undefined && (
            <div class="resume">
              <dt>Continue in a terminal</dt>
              <dd>
                <CopyText text={details.resumeCommand} label="Copy the resume command" />
              </dd>
            </div>
          )}
        </dl>
      )}
      {details.notes.map((note) => (
        <p key={note} class="note">
          <Icon name="warning" size={14} /> <NoteText text={note} />
        </p>
      ))}
    </header>
  );
}
