import { deferred } from './deferred.js';

/** Holds model requests until a test releases them, so that a turn stays open without sleeping. */
export type Gate = {
  /** Resolves when the first request arrives. */
  readonly reached: Promise<void>;
  /** Resolves when `open` is called. */
  readonly opened: Promise<void>;
  /** Releases all requests, now and later. */
  open(): void;
  /** Called by the scripted model for each request that arrives. */
  arrive(): void;
};

export function createGate(): Gate {
  const reached = deferred();
  const opened = deferred();
  return {
    reached: reached.promise,
    opened: opened.promise,
    open: () => opened.resolve(),
    arrive: () => reached.resolve(),
  };
}
