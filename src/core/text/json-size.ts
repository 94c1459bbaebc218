/** Far more than any call needs. Reading takes about 10 microseconds for each value. */
const maxValues = 20_000;

const quote = 0x22;
const backslash = 0x5c;
/** Each value but the first follows one of these: `,` `[` `{`. */
const openings: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** Whether a JSON text has more values than are read. A short text can have millions, and each costs time and memory. */
export function hasTooManyValues(text: string, most = maxValues): boolean {
  return text.length > most && countValues(text, most) > most;
}

/** The number of values in a JSON text. Does not count on after more than are read. */
export function countValues(text: string, most = maxValues): number {
  let count = 1;
  let isInString = false;
  for (let index = 0; index < text.length && count <= most; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (openings.has(code)) count += 1;
  }
  return count;
}
