import { useEffect } from 'preact/hooks';
import { useDesk } from '../live/context.js';
import { Icon } from '../parts/icons.js';
import { useWide } from '../parts/use-wide.js';
import { SessionList } from '../sessions/session-list.js';
import { SessionView } from '../sessions/session-view.js';

interface SessionsProps {
  readonly sessionId?: string;
  readonly tab?: 'changes';
}

export function Sessions({ sessionId, tab }: SessionsProps) {
  const desk = useDesk();
  const isWide = useWide();
  useEffect(
    () => () => {
      desk.watch(undefined);
      desk.store.dispatch({ type: 'sweep' });
    },
    [desk],
  );
  return (
    <div class={`split${sessionId === undefined ? '' : ' has-detail'}`}>
      {(isWide || sessionId === undefined) && <SessionList selectedId={sessionId} />}
      <section class="detail" aria-label="Session">
        {!isWide && sessionId !== undefined && (
          <div class="topbar">
            <a class="back" href="#sessions">
              <Icon name="back" /> Sessions
            </a>
            <h1 class="sr-only">Session</h1>
          </div>
        )}
        {sessionId === undefined ? (
          <div class="empty">
            <p>
              <strong>No session selected</strong>
              Choose one to see what it does.
            </p>
          </div>
        ) : (
          <SessionView sessionId={sessionId} tab={tab} />
        )}
      </section>
    </div>
  );
}
