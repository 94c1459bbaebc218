import { useState } from 'preact/hooks';
import type { PageError, SessionDetails } from '../../src/page/contract.js';
import { errorOf } from '../live/calls.js';
import { useDesk, useDeskState } from '../live/context.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Failed } from '../parts/failed.js';
import { StaleNote } from '../parts/stale-note.js';

const noteId = 'controls-stale';

/** Why the controls do nothing. */
export function ControlsNote({ details: { may } }: { readonly details: SessionDetails }) {
  const isStale = useDeskState((state) => state.isStale);
  if (!isStale || !(may.interrupt || may.cancel)) return null;
  return (
    <StaleNote
      id={noteId}
      actions={`You can ${may.interrupt ? 'interrupt or cancel' : 'cancel'} the session`}
    />
  );
}

/** Interrupt stops the turn. Cancel ends the session, so it asks first. */
export function Controls({ details }: { readonly details: SessionDetails }) {
  const desk = useDesk();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<PageError>();
  const isStale = useDeskState((state) => state.isStale);
  const { row, may } = details;
  const { sessionId } = row;
  const act = (name: 'interrupt' | 'cancel'): void => {
    setError(undefined);
    void desk.call(name, { sessionId }).catch((thrown: unknown) => setError(errorOf(thrown)));
  };
  const common = { inert: isStale, ...(isStale && { describedBy: noteId }) };
  return (
    <div class="controls">
      {may.interrupt && (
        <Button small {...common} onPress={() => act('interrupt')}>
          <Icon name="stop" size={16} /> Interrupt
        </Button>
      )}
      {may.cancel && (
        <Button small look="quiet" {...common} onPress={() => setAsking(true)}>
          Cancel
        </Button>
      )}
      {error !== undefined && <Failed error={error} />}
      {isAsking && !isStale && (
        <Confirm
          title="Cancel this session?"
          action="Cancel the session"
          onConfirm={() => act('cancel')}
          onClose={() => setAsking(false)}
        >
          Claude Code stops at once, open requests are withdrawn, and the session cannot continue here.
        </Confirm>
      )}
    </div>
  );
}
