import { AppError } from '../../core/errors.js';

/** A session that has, or is about to have, a live process. */
export interface SlotHolder {
  readonly id: string;
  readonly lastUsedAt: number;
  /** Whether its process may be closed for another session: idle, nothing in the background, resumable. */
  canEvict(): boolean;
  evict(): Promise<void>;
  /** What it is busy with, for a caller that gets no slot. */
  describe(): string;
}

export interface Slot {
  readonly holder: SlotHolder;
  /** Resolves when the process that was evicted for this slot has exited. */
  readonly free: Promise<void>;
}

/**
 * Limits the number of live processes. A call reserves its slot at once, so a refusal is immediate and changes nothing.
 */
export class Slots {
  readonly #max: number;
  readonly #taken = new Set<Slot>();
  /** Set when the server shuts down: a process started after that would never be stopped. */
  isClosed = false;

  constructor(max: number) {
    this.#max = max;
  }

  reserve(holder: SlotHolder): Slot {
    if (this.isClosed) throw new AppError('shutting_down');
    const victim = this.#taken.size < this.#max ? undefined : this.#leastRecentlyUsed();
    if (victim !== undefined) this.#taken.delete(victim);
    if (this.#taken.size >= this.#max) throw this.#exhausted();
    const slot: Slot = { holder, free: victim?.holder.evict() ?? Promise.resolve() };
    this.#taken.add(slot);
    return slot;
  }

  release(slot: Slot): void {
    this.#taken.delete(slot);
  }

  #leastRecentlyUsed(): Slot | undefined {
    return [...this.#taken]
      .filter(({ holder }) => holder.canEvict())
      .toSorted((a, b) => a.holder.lastUsedAt - b.holder.lastUsedAt)[0];
  }

  #exhausted(): AppError {
    const holders = [...this.#taken].map(({ holder }) => `${holder.id} (${holder.describe()})`);
    return new AppError('processes_busy', { limit: this.#max, holders });
  }
}
