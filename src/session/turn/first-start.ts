/** The start of a session. A caller that has waited enough keeps it; how the turn ends then tells the rest. */
export class FirstStart {
  /** Settles when the turn is on record, or cannot be. */
  readonly saved: Promise<void>;
  /** The caller knows of the session, so that it stays even if its start fails. */
  isKept = false;
  #hasFailed = false;

  constructor(saved: Promise<void>) {
    this.saved = saved;
  }

  /** Notes that it has failed. True if the caller learns of it instead of keeping the session. */
  fails(): boolean {
    this.#hasFailed = !this.isKept;
    return this.#hasFailed;
  }

  /** Settles with the delivery. After `enough` it resolves as soon as the turn is on record. */
  async within(enough: Promise<unknown> | undefined, delivered: Promise<void>): Promise<void> {
    if (enough === undefined) return delivered;
    const keep = (): Promise<void> | undefined => {
      this.isKept = !this.#hasFailed;
      return this.isKept ? undefined : delivered;
    };
    return Promise.race([delivered, Promise.all([this.saved, enough]).then(keep, () => delivered)]);
  }
}
