import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Long enough that a click aimed at something else does not land on a card that has just appeared, changed or moved. */
const inertMs = 500;
/** How often the place of the buttons is compared. A click compares it as well. */
const lookMs = 100;
/** Fractions of a pixel change with the zoom. */
const maxDriftPx = 2;
/** A person who scrolls sees what moves. The last step of a wheel is drawn a little later. */
const scrollMs = 300;

interface Place {
  readonly current: Element | null;
}

export interface Inertness {
  readonly isInert: boolean;
  /** Whether the buttons have moved since the last look. Then they are inert again. */
  readonly hasMoved: () => boolean;
}

/**
 * Inert for a moment after `content` has changed, after the buttons have moved by themselves, and after the page comes
 * back into view or to the front: another site can open the page behind a window, ask for a double click there, and
 * close that window after the first click.
 */
export function useInert(content: string, buttons: Place): Inertness {
  const [readyFor, setReadyFor] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const last = useRef<DOMRect | undefined>(undefined);
  const scrolledAt = useRef(-Infinity);

  const restart = (): void => {
    clearTimeout(timer.current);
    setReadyFor(undefined);
    timer.current = setTimeout(() => setReadyFor(content), inertMs);
  };
  const hasMoved = (): boolean => {
    const [before, now] = [last.current, buttons.current?.getBoundingClientRect()];
    last.current = now;
    if (before === undefined || now === undefined || isNear(before, now)) return false;
    if (performance.now() - scrolledAt.current < scrollMs) return false;
    restart();
    return true;
  };
  useLayoutEffect(() => {
    restart();
    return () => clearTimeout(timer.current);
  }, [content]);
  useEffect(() => {
    last.current = buttons.current?.getBoundingClientRect();
    const looking = setInterval(hasMoved, lookMs);
    return () => clearInterval(looking);
  }, [content]);
  useEffect(() => {
    const onScroll = (): void => {
      scrolledAt.current = performance.now();
    };
    const gestures = ['wheel', 'touchmove'] as const;
    for (const gesture of gestures) document.addEventListener(gesture, onScroll, { passive: true });
    return () => {
      for (const gesture of gestures) document.removeEventListener(gesture, onScroll);
    };
  }, []);
  useEffect(() => {
    const onShow = (): void => {
      if (!document.hidden) restart();
    };
    document.addEventListener('visibilitychange', onShow);
    // A view gets the focus by the click itself, and other sites cannot open it.
    if (window.parent === window) window.addEventListener('focus', onShow);
    return () => {
      document.removeEventListener('visibilitychange', onShow);
      window.removeEventListener('focus', onShow);
    };
  }, [content]);
  return { isInert: readyFor !== content, hasMoved };
}

/** The buttons are at the lower end, also if a message above them grows. */
function isNear(before: DOMRect, now: DOMRect): boolean {
  return Math.abs(before.bottom - now.bottom) <= maxDriftPx && Math.abs(before.left - now.left) <= maxDriftPx;
}
