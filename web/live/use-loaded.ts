import { useEffect, useState } from 'preact/hooks';
import type { PageError } from '../../src/page/contract.js';
import { errorOf } from './calls.js';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: PageError | undefined;
  readonly reload: () => void;
}

/** Loads again whenever `key` changes. The last value stays until the next one is there. */
export function useLoaded<Value>(load: () => Promise<Value>, key: string): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [error, setError] = useState<PageError>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (loaded) => {
        if (!isCurrent) return;
        setValue(() => loaded);
        setError(undefined);
      },
      (thrown: unknown) => {
        if (isCurrent) setError(errorOf(thrown));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  return { value, error, reload: () => setRound((count) => count + 1) };
}
