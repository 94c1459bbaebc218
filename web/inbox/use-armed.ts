import { useEffect, useRef, useState } from 'preact/hooks';

export type Armed = 'allow' | 'allow_for_session' | undefined;

const armedMs = 5000;

/** A prepared answer is forgotten after a while, and as soon as the request can no longer be allowed. */
export function useArmed(isBlocked: boolean): readonly [Armed, (armed: Armed) => void] {
  const [armed, setArmed] = useState<Armed>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isBlocked) setArmed(undefined);
  }, [isBlocked]);
  const arm = (next: Armed): void => {
    clearTimeout(timer.current);
    if (isBlocked) return;
    setArmed(next);
    timer.current = setTimeout(() => setArmed(undefined), armedMs);
  };
  return [isBlocked ? undefined : armed, arm];
}
