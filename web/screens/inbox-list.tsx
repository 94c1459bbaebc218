import { useEffect, useRef, useState } from 'preact/hooks';
import { answerer, kindOf, outcome } from '../inbox/words.js';
import { toHash } from '../live/routes.js';
import { isOpen, type Request } from '../live/state.js';
import { Button } from '../parts/button.js';
import { Countdown } from '../parts/countdown.js';
import { Icon } from '../parts/icons.js';
import { memo } from '../texts/memo.js';
import { Summary } from '../parts/summary.js';
import { count } from '../texts/time.js';
import { NotifyButton } from './notify-button.js';

interface InboxListProps {
  readonly requests: readonly Request[];
  readonly selected: Request | undefined;
  readonly skew: number;
  readonly isLoaded: boolean;
  readonly onSelect: (request: Request) => void;
  readonly onClear: () => void;
}

export function InboxList(props: InboxListProps) {
  const { requests, selected } = props;
  const list = useRef<HTMLElement>(null);
  const [newCount, showNew] = useNewCount(list, requests);
  const openCount = requests.filter(isOpen).length;
  const answered = requests.length - openCount;

  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected?.card.requestId]);

  return (
    <section class="list" ref={list} aria-label="Requests">
      <header class="list-head">
        <h1>Inbox</h1>
        <span class="badge" aria-label={`${openCount} open`}>
          {openCount}
        </span>
        <span class="space" />
        {answered > 0 ? (
          <Button look="quiet" small onPress={props.onClear}>
            Clear {answered} answered
          </Button>
        ) : (
          <NotifyButton />
        )}
      </header>
      {requests.length === 0 ? (
        <Nothing isLoaded={props.isLoaded} />
      ) : (
        <ol class="items">
          {requests.map((request) => (
            <li key={request.card.requestId}>
              <Item
                request={request}
                isSelected={request === selected}
                skew={props.skew}
                onSelect={props.onSelect}
              />
            </li>
          ))}
        </ol>
      )}
      {newCount > 0 && (
        <button type="button" class="new-notice" onClick={showNew}>
          {count(newCount, 'new request')} <Icon name="down" size={16} />
        </button>
      )}
    </section>
  );
}

interface ItemProps {
  readonly request: Request;
  readonly isSelected: boolean;
  readonly skew: number;
  readonly onSelect: (request: Request) => void;
}

function Item({ request, isSelected, skew, onSelect }: ItemProps) {
  const { card, phase } = request;
  const { icon, name } = kindOf(card);
  return (
    <a
      class={`item ${phase}`}
      href={toHash({ screen: 'inbox', requestId: card.requestId })}
      aria-current={isSelected ? 'true' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(request);
      }}
    >
      <span class={`kind-icon ${card.what.type}`}>
        <Icon name={icon} />
      </span>
      <span class="item-text">
        <span class="item-top">
          <span class="item-kind">{name}</span>
          {isOpen(request) ? (
            <Countdown askedAt={card.askedAt} expiresAt={card.expiresAt} skew={skew} />
          ) : (
            <Result request={request} />
          )}
        </span>
        <span class="item-title">
          <Summary text={card.summary} />
        </span>
        <span class="item-meta">
          {card.sessionTitle}
          {card.agent !== undefined && ` › ${card.agent}`}
        </span>
      </span>
    </a>
  );
}

function Result({ request: { card, settlement } }: { readonly request: Request }) {
  if (settlement === undefined) return <span class="result none">Closed</span>;
  return (
    <span class={`result ${settlement.decision}`} title={`By ${answerer(settlement, undefined)}`}>
      {outcome(settlement, card.kind)}
    </span>
  );
}

const Nothing = memo(function Nothing({ isLoaded }: { readonly isLoaded: boolean }) {
  if (!isLoaded) return <p class="empty muted">Loading…</p>;
  return (
    <div class="empty">
      <Icon name="check" size={32} />
      <p>
        <strong>All clear</strong>
        No session is waiting for an answer. New requests appear here at once.
      </p>
    </div>
  );
});

/** Counts the requests that arrive below the visible part of the list. */
function useNewCount(
  list: { readonly current: HTMLElement | null },
  requests: readonly Request[],
): readonly [number, () => void] {
  const [newCount, setNewCount] = useState(0);
  const known = useRef(requests.length);
  useEffect(() => {
    const added = requests.length - known.current;
    known.current = requests.length;
    if (added > 0 && !isAtEnd(list.current)) setNewCount((total) => total + added);
  }, [requests.length]);
  useEffect(() => {
    const element = list.current;
    const onScroll = (): void => {
      if (isAtEnd(element)) setNewCount(0);
    };
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => element?.removeEventListener('scroll', onScroll);
  }, []);
  return [
    newCount,
    () => {
      setNewCount(0);
      list.current?.scrollTo({ top: list.current.scrollHeight });
    },
  ];
}

function isAtEnd(element: HTMLElement | null): boolean {
  return element === null || element.scrollHeight - element.scrollTop - element.clientHeight < 60;
}
