/** Far more than any call needs. Reading takes about 10 microseconds for each value. */
const maxValues = 20_000;

/** Far more than any call needs. Code that descends into some thousand levels exhausts the stack. */
const maxLevels = 200;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openings: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closings: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether a JSON text of a caller has more values or levels than are read. */
export function isTooCostly(text: string): boolean {
  return countValues(text) > maxValues;
}

/** Whether a JSON text has more values than are read. A short text can have millions, and each costs time and memory. */
export function hasTooManyValues(text: string, most: number): boolean {
  return text.length > most && countValues(text, most) > most;
}

/** The number of values in a JSON text. Infinite for more than are read, and for too many levels. */
export function countValues(text: string, most = maxValues): number {
  let [count, level] = [1, 0];
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === comma) count += 1;
    else if (openings.has(code)) [count, level] = [count + 1, level + 1];
    else if (closings.has(code)) level -= 1;
    if (count > most || level > maxLevels) return Number.POSITIVE_INFINITY;
  }
  return count;
}
