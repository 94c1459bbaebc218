/** No Date is later. The times of files can be. */
const latest = 8.64e15;

/** A time as text. One that no Date can hold becomes the nearest: a single file must not break a list. */
export function isoTime(at: number): string {
  return new Date(Math.max(-latest, Math.min(at, latest))).toISOString();
}
