import type { Clock } from '../../core/clock.js';
import { urisOf } from './session-resources.js';

/** Called with the URI of a resource that has changed. */
export type UpdateListener = (uri: string) => void;

/** At most two announcements per second and session. */
const intervalMs = 500;

/** Announces changed sessions to the connections that subscribe to them. Costs nothing while none does. */
export class ResourceUpdates {
  readonly #clock: Clock;
  readonly #listeners = new Set<UpdateListener>();
  /** Sessions that were announced a moment ago, and whether they have changed since. */
  readonly #recent = new Map<string, { hasChanged: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a function that ends the subscription. */
  listen(listener: UpdateListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  sessionChanged(sessionId: string): void {
    if (this.#listeners.size === 0) return;
    const recent = this.#recent.get(sessionId);
    if (recent === undefined) this.#announce(sessionId);
    else recent.hasChanged = true;
  }

  #announce(sessionId: string): void {
    const recent = { hasChanged: false };
    this.#recent.set(sessionId, recent);
    this.#clock.after(intervalMs, () => {
      this.#recent.delete(sessionId);
      if (recent.hasChanged) this.#announce(sessionId);
    });
    for (const uri of urisOf(sessionId)) for (const listener of this.#listeners) listener(uri);
  }
}
