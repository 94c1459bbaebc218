/** Timing on a shared machine: only the minimum of interleaved rounds measures the code itself. */

/** Runs the cases in turn, `rounds` times, every second round backwards, so that a disturbance affects all of them. */
export async function interleave<K extends string>(
  rounds: number,
  cases: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, readonly number[]>> {
  const names = Object.keys(cases) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) times[name].push(await cases[name]());
  }
  return times;
}

/** The duration of `action`, in milliseconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

export function minimum(values: readonly number[]): number {
  return Math.min(...values);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A median this far above the minimum means that other processes used the machine. */
const NOISY = 1.4;

/** `min 812 ms, median 840 ms` */
export function describeTimes(values: readonly number[]): string {
  const isNoisy = median(values) > minimum(values) * NOISY;
  return `min ${ms(minimum(values))}, median ${ms(median(values))}${isNoisy ? ' (noisy)' : ''}`;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
