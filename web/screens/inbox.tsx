import { useEffect, useRef, useState } from 'preact/hooks';
import { RequestCard } from '../inbox/card.js';
import { useDesk, useDeskState } from '../live/context.js';
import { navigate, toHash } from '../live/routes.js';
import { isOpen, type Request } from '../live/state.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';
import { useKeys } from '../parts/use-keys.js';
import { useWide } from '../parts/use-wide.js';
import { InboxList } from './inbox-list.js';

interface InboxProps {
  /** The request in the address. */
  readonly requestId: string | undefined;
}

export function Inbox({ requestId }: InboxProps) {
  const desk = useDesk();
  const state = useDeskState((all) => all);
  const isWide = useWide();
  const selected = useSelection(state.requests, requestId, isWide);
  const index = state.requests.findIndex((request) => request === selected);
  const wantsFocus = useRef(false);

  // Answered requests stay in place while the person looks, and go when they look elsewhere.
  useEffect(() => {
    const sweep = (): void => desk.store.dispatch({ type: 'sweep' });
    const onHide = (): void => {
      if (document.hidden) sweep();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      sweep();
    };
  }, [desk]);
  useEffect(() => {
    if (!wantsFocus.current || selected === undefined) return;
    wantsFocus.current = false;
    // The title, never a button: a key that is still down must not answer.
    document.getElementById(`title-${selected.card.requestId}`)?.focus();
  }, [selected?.card.requestId]);

  const select = (request: Request | undefined): void => {
    if (request === undefined) return;
    wantsFocus.current = true;
    const replace = isWide || requestId !== undefined;
    navigate({ screen: 'inbox', requestId: request.card.requestId }, { replace });
  };
  const nextOpen = [...state.requests.slice(index + 1), ...state.requests.slice(0, Math.max(0, index))].find(
    ({ phase }) => phase === 'open',
  );
  const step = (by: number) => () => select(state.requests[index === -1 ? 0 : index + by]);
  useKeys(true, { j: step(1), ArrowDown: step(1), k: step(-1), ArrowUp: step(-1) });

  return (
    <div class={`split${requestId === undefined ? '' : ' has-detail'}`}>
      <InboxList
        requests={state.requests}
        selected={selected}
        skew={state.skew}
        isLoaded={state.hasInbox}
        onSelect={select}
        onClear={() => desk.store.dispatch({ type: 'sweep' })}
      />
      <section class="detail" aria-label="Request">
        {!isWide && requestId !== undefined && (
          <div class="topbar">
            <a class="back" href="#inbox">
              <Icon name="back" /> Inbox
            </a>
            <h1 class="sr-only">Request</h1>
            <span class="muted">{state.requests.filter(isOpen).length} open</span>
          </div>
        )}
        {selected !== undefined ? (
          <RequestCard
            key={selected.card.requestId}
            request={selected}
            skew={state.skew}
            device={state.me?.device.name}
            isStale={state.isStale}
            hasKeys={isWide || requestId !== undefined}
            sessionHref={toHash({ screen: 'session', sessionId: selected.card.sessionId })}
            onAnswer={(answer) => void desk.answer(answer)}
            {...(nextOpen !== undefined && { onNext: () => select(nextOpen) })}
          />
        ) : (
          <NoRequest isMissing={requestId !== undefined && state.hasInbox} />
        )}
      </section>
    </div>
  );
}

/** On a wide screen the first request is open at once; then the choice stays until the person moves on. */
function useSelection(
  requests: readonly Request[],
  requestId: string | undefined,
  isWide: boolean,
): Request | undefined {
  const [own, setOwn] = useState<string>();
  const find = (id: string | undefined): Request | undefined =>
    requests.find(({ card }) => card.requestId === id);
  const selected =
    requestId === undefined ? (isWide ? (find(own) ?? requests.find(isOpen)) : undefined) : find(requestId);
  useEffect(() => setOwn(selected?.card.requestId), [selected?.card.requestId]);
  return selected;
}

function NoRequest({ isMissing }: { readonly isMissing: boolean }) {
  if (!isMissing) return <div class="empty wide-only" />;
  return (
    <div class="empty">
      <Icon name="check" size={32} />
      <p>
        <strong>This request is no longer open</strong>
        It was answered, withdrawn, or belongs to another server.
      </p>
      <Button onPress={() => navigate({ screen: 'inbox' })}>Go to the inbox</Button>
    </div>
  );
}
