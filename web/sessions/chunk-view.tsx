import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { memo } from '../texts/memo.js';
import { EventView } from './event-view.js';
import type { Chunk } from './items.js';

interface ChunkViewProps {
  readonly chunk: Chunk;
  readonly sessionId: string;
  readonly startsNear: boolean;
}

/** Guessed for what has never been shown. */
const itemPx = 64;

/** Renders its items only near the visible part. Otherwise it keeps their room. */
export const ChunkView = memo(function ChunkView({ chunk, sessionId, startsNear }: ChunkViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(startsNear);
  const height = useRef<number | undefined>(undefined);

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser reports several at once, the newest last.
        const entry = entries.at(-1);
        if (entry === undefined) return;
        if (!entry.isIntersecting) height.current = element.offsetHeight;
        setNear(entry.isIntersecting);
      },
      { root: element.closest('.timeline'), rootMargin: '1500px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (place.current === null) return;
    place.current.style.minHeight = isNear ? '' : `${height.current ?? chunk.items.length * itemPx}px`;
  }, [isNear, chunk]);

  return (
    <div class="chunk" ref={place}>
      {isNear &&
        chunk.items.map((item) => <EventView key={item.event.seq} item={item} sessionId={sessionId} />)}
    </div>
  );
});
