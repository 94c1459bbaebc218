/** `950`, `12.4k`, `3.1M`. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** A round number at or above the largest value, for the top of an axis. */
export function axisTop(largest: number): number {
  if (largest <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((top) => top >= largest) ?? largest;
}
