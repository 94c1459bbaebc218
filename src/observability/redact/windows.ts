import { minSecretChars } from './secret-values.js';

/** A prime, so that neighbouring characters do not cancel each other out. */
const factor = 16_777_619;
/** What the first character of a window contributes to its hash. */
const firstFactor = Array.from({ length: minSecretChars - 1 }).reduce<number>(
  (power) => Math.imul(power, factor),
  1,
);

const buckets = 1 << 16;

/**
 * Finds the places in a text where one of many beginnings may stand. Each beginning has `minSecretChars` characters.
 * Reads each character once, regardless of their number.
 */
export class Windows {
  readonly #counts = new Uint32Array(buckets);

  add(beginning: string): void {
    const bucket = bucketOf(hashAt(beginning, 0));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  remove(beginning: string): void {
    const bucket = bucketOf(hashAt(beginning, 0));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) - 1;
  }

  /** The next such place from `from` on; -1 if there is none. Another text may stand there by coincidence. */
  next(text: string, from: number): number {
    const last = text.length - minSecretChars;
    if (from > last) return -1;
    let hash = hashAt(text, from);
    for (let index = from; ; index += 1) {
      if (this.#counts[bucketOf(hash)] !== 0) return index;
      if (index === last) return -1;
      const rest = hash - Math.imul(text.charCodeAt(index), firstFactor);
      hash = (Math.imul(rest, factor) + text.charCodeAt(index + minSecretChars)) | 0;
    }
  }
}

function hashAt(text: string, index: number): number {
  let hash = 0;
  for (let at = index; at < index + minSecretChars; at += 1)
    hash = (Math.imul(hash, factor) + text.charCodeAt(at)) | 0;
  return hash;
}

function bucketOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & (buckets - 1);
}
