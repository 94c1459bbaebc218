/**
 * An answer as data: candidates from longest to shortest, each built on demand. The edge sends the first one that fits.
 */
export type View = Iterable<object>;

/** How many characters the variable texts of an answer may take, from a nearly full answer to none. */
const rooms = [6_000, 4_500, 3_000, 2_000, 1_200, 600, 300, 150, 60, 0] as const;

/** Builds a view whose texts are truncated to fit. */
export function shrinking(show: (room: number) => object): View {
  return {
    *[Symbol.iterator]() {
      for (const room of rooms) yield show(room);
    },
  };
}

/**
 * The part of an answer by which someone approves. It was masked when it was built, and is sent as it is: the redaction
 * of results would hide what runs.
 */
export class ApproverText<T> {
  readonly #content: T;

  constructor(content: T) {
    this.#content = content;
  }

  toJSON(): T {
    return this.#content;
  }
}
