import { createHash } from 'node:crypto';

/** A smaller offset counts messages. */
const firstCursor = 10_000_001;

const placeRange = 2 ** 32;
/** So that the largest cursor has 15 digits, which every client can represent as a JSON number. */
const checkBits = 17;

/** A message in a file: where its line starts, and what its uuid must match. */
export interface CursorPlace {
  readonly start: number;
  readonly check: number;
}

/** A number that stands for the place of a message, and remains valid while the transcript grows. */
export function toCursor(start: number, uuid: string): number {
  return firstCursor + checkOf(uuid) * placeRange + start;
}

/** Undefined for an offset that counts messages. */
export function readCursor(offset: number): CursorPlace | undefined {
  if (offset < firstCursor) return undefined;
  const packed = offset - firstCursor;
  return { start: packed % placeRange, check: Math.floor(packed / placeRange) };
}

/** Part of a hash of the uuid. A line with another uuid at the same place has a different value, almost certainly. */
export function checkOf(uuid: string): number {
  return createHash('sha256').update(uuid).digest().readUInt32BE() >>> (32 - checkBits);
}
