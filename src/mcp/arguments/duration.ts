const units: readonly (readonly [names: RegExp, ms: number])[] = [
  [/^(ms|msecs?|milliseconds?)$/i, 1],
  [/^(s|secs?|seconds?)$/i, 1_000],
  [/^(m|mins?|minutes?)$/i, 60_000],
  [/^(h|hrs?|hours?)$/i, 3_600_000],
];

/** Whether a field takes milliseconds, by its name. */
export function isInMilliseconds(key: PropertyKey | undefined): boolean {
  return typeof key === 'string' && key.endsWith('Ms');
}

/** Reads `"20s"` as 20000. Undefined for text without a unit, and for a fraction of a millisecond. */
export function toMilliseconds(value: unknown): number | undefined {
  const [, count, unit = ''] =
    typeof value === 'string' ? (/^(\d{1,10}(?:\.\d{1,3})?)\s?([a-z]+)$/i.exec(value.trim()) ?? []) : [];
  const [, unitMs] = units.find(([names]) => names.test(unit)) ?? [];
  const ms = count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs;
  return Number.isInteger(ms) ? ms : undefined;
}
