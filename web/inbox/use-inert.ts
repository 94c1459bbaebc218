import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Long enough that a click aimed at something else does not land on a card that has just appeared or changed. */
const inertMs = 500;

/**
 * True for a moment after `content` has changed, and after the page comes back into view or to the front: another site
 * can open the page behind a window, ask for a double click there, and close that window after the first click.
 */
export function useInert(content: string): boolean {
  const [readyFor, setReadyFor] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const restart = (): void => {
    clearTimeout(timer.current);
    setReadyFor(undefined);
    timer.current = setTimeout(() => setReadyFor(content), inertMs);
  };
  useLayoutEffect(() => {
    restart();
    return () => clearTimeout(timer.current);
  }, [content]);
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
  return readyFor !== content;
}
