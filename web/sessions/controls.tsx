import { useState } from 'preact/hooks';
import type { PageError, SessionDetails } from '../../src/page/contract.js';
import { errorOf } from '../live/calls.js';
import { useDesk } from '../live/context.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Failed } from '../parts/failed.js';

/** Interrupt stops the turn. Cancel ends the session, so it asks first. */
export function Controls({ details }: { readonly details: SessionDetails }) {
  const desk = useDesk();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<PageError>();
  const { sessionId } = details.row;
  const act = (name: 'interrupt' | 'cancel'): void => {
    setError(undefined);
    void desk.call(name, { sessionId }).catch((thrown: unknown) => setError(errorOf(thrown)));
  };
  return (
    <div class="controls">
      {details.may.interrupt && (
        <Button small onPress={() => act('interrupt')}>
          <Icon name="stop" size={16} /> Interrupt
        </Button>
      )}
      {details.may.cancel && (
        <Button small look="quiet" onPress={() => setAsking(true)}>
          Cancel
        </Button>
      )}
      {error !== undefined && <Failed error={error} />}
      {isAsking && (
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
