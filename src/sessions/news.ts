import type { SessionId } from '../core/ids.js';
import type { InputRequest, SettledInput } from '../core/session/inputs.js';

/** Hears at once what happens in all sessions of this server. */
export interface NewsListener {
  /** Called for each new event of a session, and when its state changes without one. */
  onChanged(sessionId: SessionId): void;
  onAsked(request: InputRequest): void;
  onSettled(settled: SettledInput): void;
  /** The server shuts down. */
  onClosing(): void;
}

/** Passes news of all sessions to any number of listeners. Costs nothing while there are none. */
export class News {
  readonly #listeners = new Set<NewsListener>();

  /** Returns a function that ends the subscription. */
  listen(listener: NewsListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(sessionId: SessionId): void {
    for (const listener of this.#listeners) listener.onChanged(sessionId);
  }

  asked(request: InputRequest): void {
    for (const listener of this.#listeners) listener.onAsked(request);
  }

  settled(settled: SettledInput): void {
    for (const listener of this.#listeners) listener.onSettled(settled);
  }

  closing(): void {
    for (const listener of this.#listeners) listener.onClosing();
  }
}
