import { AppError } from '../../core/errors.js';
import { isUuid, parseIdStart, type SessionId } from '../../core/ids.js';
import type { Session } from '../../session/session.js';
import type { RecordStore } from '../../state/record-store.js';

/** Completes session ids of which a caller passes only the beginning. */
export class SessionIds {
  readonly #records: Pick<RecordStore, 'idsLike'>;
  readonly #inMemory: () => Iterable<Session>;

  constructor(records: Pick<RecordStore, 'idsLike'>, inMemory: () => Iterable<Session>) {
    this.#records = records;
    this.#inMemory = inMemory;
  }

  /**
   * The session that a caller names by its id or the beginning of it. Only sessions of this state folder are completed:
   * those of the terminal are not, because their files would all have to be listed.
   */
  async resolve(text: string): Promise<SessionId> {
    const start = parseIdStart(text);
    if (isUuid(start)) return start as SessionId;
    const found = new Set(await this.#records.idsLike(start));
    for (const { id, view } of this.#inMemory())
      if (id.startsWith(start) || view.claudeSessionId.startsWith(start)) found.add(id);
    const [only] = found;
    if (only === undefined) throw new AppError('session_unknown', { sessionId: start });
    if (found.size > 1) throw new AppError('session_id_ambiguous', { text: start, count: found.size });
    return only;
  }
}
