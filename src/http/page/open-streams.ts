/**
 * How many streams one device has open. A browser needs one for each window that a person sees, and one for all the
 * others, and opens six without HTTP/2. Each takes a part of the work for every event.
 */
const maxStreams = 12;

/** The open streams of all devices. */
export class OpenStreams {
  /** What ends them, the oldest first. */
  readonly #ends = new Map<string, Set<() => void>>();

  /**
   * Ends the oldest stream of this device if it has too many: the newest window is the one that a person looks at, and
   * streams of a lost connection can seem open for minutes. The returned function forgets this one.
   */
  open(device: string, end: () => void): () => void {
    const ends = this.#ends.get(device) ?? new Set();
    this.#ends.set(device, ends.add(end));
    const [oldest] = ends;
    if (ends.size > maxStreams) {
      // Ending it may have forgotten it already.
      ends.delete(oldest ?? end);
      oldest?.();
    }
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#ends.get(device) === ends) this.#ends.delete(device);
    };
  }
}
