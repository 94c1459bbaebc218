import { AppError, messageOf } from '../../core/errors.js';
import { isHolder, type LockHolder, type SessionLock, type SessionLocks } from '../../state/session-locks.js';

/** The lock of one session on its conversation. Operations run one after another. */
export class ConversationLock {
  readonly #locks: SessionLocks;
  #held: { readonly id: string; readonly lock: SessionLock } | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(locks: SessionLocks) {
    this.#locks = locks;
  }

  /** No other session or server has it. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Takes this lock in place of the previous one. Returns undefined if it is ours now, otherwise its holder. */
  hold(id: string): Promise<LockHolder | undefined> {
    return this.#inTurn(async () => {
      if (this.#held?.id === id) return undefined;
      const taken = await this.#locks.take(id).catch((error: unknown) => {
        throw new AppError('session_not_lockable', { problem: messageOf(error) });
      });
      if (isHolder(taken)) return taken;
      const before = this.#held;
      this.#held = { id, lock: taken };
      await before?.lock.release();
      return undefined;
    });
  }

  /** Returns the holder if it is another session or server. */
  findHolder(id: string): Promise<LockHolder | undefined> {
    return this.#inTurn(async () => (this.#held?.id === id ? undefined : this.#locks.holderOf(id)));
  }

  release(): Promise<void> {
    return this.#inTurn(async () => {
      const held = this.#held;
      this.#held = undefined;
      await held?.lock.release();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }
}
