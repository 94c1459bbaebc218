import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useDesk, useDeskState } from '../live/context.js';
import { firstEvents } from '../live/desk.js';
import { Icon } from '../parts/icons.js';
import { ChunkView } from './chunk-view.js';
import { toChunks, type Chunk } from './items.js';

const endPx = 80;
const topPx = 600;
const openRequestGapPx = 12;

/** The events of a session. Follows the end only while the person is there. */
export function TimelineView({ sessionId }: { readonly sessionId: string }) {
  const timeline = useDeskState((state) => state.timeline);
  const events = timeline?.sessionId === sessionId ? timeline.events : [];
  const last = useRef<readonly Chunk[]>([]);
  const chunks = useMemo(() => toChunks(events, last.current), [events]);
  last.current = chunks;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, isBehind, noteScroll, toEnd } = useFollow(scroller, content, events.length);
  const older = useOlder(sessionId, events[0]?.seq);

  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    noteScroll(element);
    if (element.scrollTop < topPx && !isAtEnd.current && older.hasMore) {
      // At the very top browsers do not keep the place when something is inserted above.
      if (element.scrollTop === 0) element.scrollTop = 1;
      older.load();
    }
  };
  return (
    <div class="timeline" ref={scroller} onScroll={onScroll} tabIndex={0} role="log" aria-label="Timeline">
      <div ref={content} class="timeline-content">
        {older.hasMore && (
          <button type="button" class="older" onClick={older.load}>
            Show earlier events
          </button>
        )}
        {timeline !== undefined && timeline.dropped > 0 && !older.hasMore && (
          <p class="event-note">{timeline.dropped.toLocaleString('en')} earlier events are no longer kept.</p>
        )}
        {chunks.map((chunk, index) => (
          <ChunkView
            key={chunk.key}
            chunk={chunk}
            sessionId={sessionId}
            startsNear={index >= chunks.length - 2}
          />
        ))}
        {events.length === 0 && <p class="empty muted">No events yet.</p>}
      </div>
      {isBehind && (
        <button type="button" class="new-notice" onClick={toEnd}>
          New events <Icon name="down" size={16} />
        </button>
      )}
    </div>
  );
}

interface Place<Element> {
  readonly current: Element | null;
}

function useFollow(scroller: Place<HTMLElement>, content: Place<HTMLElement>, length: number) {
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [behind, setBehind] = useState(0);
  const follow = (): void => {
    scrollToEnd(scroller.current);
    lastTop.current = scroller.current?.scrollTop ?? 0;
  };
  const toEnd = (): void => {
    isAtEnd.current = true;
    setBehind(length);
    follow();
  };
  const noteScroll = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void => {
    // A person who scrolls up has left the end, although the first frames of a jump are still near it.
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < (isUp ? 1 : endPx);
  };
  useEffect(() => {
    const element = content.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) follow();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) setBehind(length);
  }, [length]);
  return { isAtEnd, isBehind: length > behind && !isAtEnd.current, noteScroll, toEnd };
}

/** The beginning of an open request comes first: its buttons must not be all that a person sees. */
function scrollToEnd(scroller: HTMLElement | null): void {
  if (scroller === null) return;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const open = scroller.querySelector('.in-place:has(.card.open)');
  const top = scroller.getBoundingClientRect().top - scroller.scrollTop;
  const start = open === null ? end : open.getBoundingClientRect().top - top - openRequestGapPx;
  scroller.scrollTo({ top: Math.min(start, end) });
}

function useOlder(sessionId: string, first: number | undefined) {
  const desk = useDesk();
  const isLoading = useRef(false);
  const [isDone, setDone] = useState(false);
  const load = (): void => {
    if (isLoading.current || first === undefined) return;
    isLoading.current = true;
    void desk
      .call('events', { sessionId, before: Math.ceil(first), limit: firstEvents })
      .then(
        ({ events, dropped }) => {
          if (events.length === 0) setDone(true);
          desk.store.dispatch({ type: 'older', sessionId, events, dropped });
        },
        () => setDone(true),
      )
      .finally(() => {
        isLoading.current = false;
      });
  };
  return { hasMore: !isDone && first !== undefined && first > 1, load };
}
