import type { SessionId } from '../core/ids.js';
import type { Session } from '../session/session.js';

/** The sessions that run everything without asking, and the clients whose consent they rely on. */
export class BypassSessions {
  readonly #clients = new Map<SessionId, Set<string>>();

  /** A turn of one client may run, while the prompt of another waits. */
  note(id: SessionId, clientKey: string): void {
    this.#clients.set(id, new Set([...(this.#clients.get(id) ?? []), clientKey]));
  }

  /** For a session that is no longer in memory. If it is resumed, it relies on the consent at that time. */
  drop(id: SessionId): void {
    this.#clients.delete(id);
  }

  /** Makes the sessions of this client ask again. Resolves when all of them do, or have stopped. */
  async end(clientKey: string, find: (id: SessionId) => Session | undefined): Promise<void> {
    const ids = [...this.#clients].filter(([, clients]) => clients.has(clientKey)).map(([id]) => id);
    for (const id of ids) this.#clients.delete(id);
    await Promise.all(ids.map(async (id) => find(id)?.endBypass()));
  }
}
