import type { LockHolder, SessionLocks } from '../../src/state/session-locks.js';

/** Every lock is free. */
export const freeLocks: SessionLocks = {
  take: async () => ({ release: async () => undefined }),
  holderOf: async () => undefined,
  ask: async () => false,
  onAsked: () => undefined,
};

/** Locks in memory that show their owners: `ours` belong to this server, `others` to another one. */
export class CountedLocks implements SessionLocks {
  readonly ours = new Set<string>();
  readonly others = new Map<string, LockHolder>();
  /** Set to make every lock fail. */
  failure: Error | undefined;
  /** Set to make every lock wait. */
  free: Promise<void> = Promise.resolve();

  async take(id: string) {
    await this.free;
    if (this.failure !== undefined) throw this.failure;
    const holder = this.#holderOf(id);
    if (holder !== undefined) return holder;
    this.ours.add(id);
    return { release: async () => void this.ours.delete(id) };
  }

  async holderOf(id: string): Promise<LockHolder | undefined> {
    return this.#holderOf(id);
  }

  async ask(): Promise<boolean> {
    return false;
  }

  onAsked(): void {
    // Nobody asks.
  }

  #holderOf(id: string): LockHolder | undefined {
    return this.others.get(id) ?? (this.ours.has(id) ? { pid: process.pid } : undefined);
  }
}
