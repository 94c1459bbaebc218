import { deferred } from './deferred.js';

/** Holds model requests until a test lets them go, so that a turn can be kept open without sleeping. */
export type Gate = {
  /** Resolves when the first request waits here. */
  readonly reached: Promise<void>;
  /** Resolves once `open` was called. */
  readonly opened: Promise<void>;
  /** Lets everyone through, now and later. */
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
