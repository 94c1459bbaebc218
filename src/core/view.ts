/** An answer as data. It builds the longest version of itself that the edge can send. */
export type View<T extends object = object> = (fits: Fits) => T;

/** Whether an answer is short enough to be sent. */
export type Fits = (answer: object) => boolean;

/** The most characters that the variable texts of an answer may take: those of a nearly full answer. */
const maxRoom = 7_000;
/** The search for the largest room stops here: the rest is not worth another attempt. */
const precision = 40;

/** An answer that is always short. */
export function always(answer: object): View {
  return () => answer;
}

/** An answer whose texts are truncated to the largest room that fits. */
export function shrinking<T extends object>(show: (room: number) => T): View<T> {
  return (fits) => {
    const full = show(maxRoom);
    return fits(full) ? full : (largestFitting(show, fits, maxRoom, precision) ?? show(0));
  };
}

/** A part of an answer that is sent as it is, because it was masked or redacted before it was built. */
export class AsBuilt<T> {
  readonly #content: T;

  constructor(content: T) {
    this.#content = content;
  }

  toJSON(): T {
    return this.#content;
  }
}

/** The part of an answer by which someone approves: the redaction of results would hide what runs. */
export class ApproverText<T> extends AsBuilt<T> {}

/**
 * A part of a text that was redacted as a whole: to redact the part again would take the rest of a word for a secret,
 * such as `sk-…` of `task-…`.
 */
export class RedactedPart extends AsBuilt<string> {}

/**
 * The version with the largest size below `tooLarge`; undefined if none fits. A binary search, because escaping makes
 * some texts far longer than others.
 */
export function largestFitting<T extends object>(
  show: (size: number) => T,
  fits: Fits,
  tooLarge: number,
  precision = 1,
): T | undefined {
  let best: T | undefined;
  let fitting = 0;
  let excess = tooLarge;
  while (excess - fitting > precision) {
    const size = (fitting + excess) >>> 1;
    const answer = show(size);
    if (fits(answer)) {
      best = answer;
      fitting = size;
    } else excess = size;
  }
  return best;
}
