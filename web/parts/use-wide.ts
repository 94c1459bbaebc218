import { useEffect, useState } from 'preact/hooks';

const query = '(min-width: 900px)';

/** Whether a list and its detail fit next to each other. The same width is in the style sheets. */
export function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = (): void => setWide(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return isWide;
}
