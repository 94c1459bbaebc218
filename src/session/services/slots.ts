import { AppError } from '../../core/errors.js';

/** A session that has, or is about to have, a live process. */
export interface SlotHolder {
  readonly id: string;
  /** A process that waits for the session with this id, and passes its slot on to it. */
  readonly isSpare?: true;
  readonly lastTouchedAt: number;
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
 * The slots of a principal are also slots of its service, which may have fewer than all principals together.
 */
export class Slots {
  readonly #max: number;
  /** These slots, and those of the service. */
  readonly #levels: readonly Slots[];
  /** With the principal's slots to which each belongs. */
  readonly #taken = new Map<Slot, Slots>();
  /** Those of spares, by the ids of their sessions. */
  readonly #spares = new Map<string, Slot>();
  /** Set when the server shuts down: a process started after that would never be stopped. */
  isClosed = false;

  constructor(max: number, service?: Slots) {
    this.#max = max;
    this.#levels = service === undefined ? [this] : [this, service];
  }

  /** Whether a session has a live process. */
  get isInUse(): boolean {
    return this.#taken.size > this.#spares.size;
  }

  /** Whether a slot is free without closing a process. */
  get hasRoom(): boolean {
    return this.#levels.every((level) => level.#taken.size < level.#max);
  }

  reserve(holder: SlotHolder): Slot {
    if (this.isClosed) throw new AppError('shutting_down');
    const spare = this.#spares.get(holder.id);
    if (spare !== undefined) this.release(spare);
    // A slot that is freed here is also freed in the service.
    const full = this.#levels.find((level) => level.#taken.size >= level.#max);
    const evicted = full === undefined ? Promise.resolve() : this.#evictFrom(full);
    const slot: Slot = { holder, free: evicted };
    for (const level of this.#levels) {
      level.#taken.set(slot, this);
      if (holder.isSpare) level.#spares.set(holder.id, slot);
    }
    return slot;
  }

  release(slot: Slot): void {
    for (const level of this.#levels) {
      level.#taken.delete(slot);
      if (slot.holder.isSpare) level.#spares.delete(slot.holder.id);
    }
  }

  #evictFrom(full: Slots): Promise<void> {
    const [victim] = [...full.#taken]
      .filter(([{ holder }]) => holder.canEvict())
      .toSorted(([a], [b]) => a.holder.lastTouchedAt - b.holder.lastTouchedAt);
    if (victim === undefined) throw this.#exhausted(full.#max);
    const [slot, slots] = victim;
    slots.release(slot);
    return slot.holder.evict();
  }

  /** Names the caller's own sessions only, even if those of other principals fill the service. */
  #exhausted(limit: number): AppError {
    const holders = [...this.#taken.keys()].map(({ holder }) => `${holder.id} (${holder.describe()})`);
    return new AppError('processes_busy', { limit, holders });
  }
}
