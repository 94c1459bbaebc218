/** How many cases the fuzz tests run together, and from which seed. The same seed gives the same cases. */
import { randomInt } from 'node:crypto';

const { FUZZ_CASES = '5000', FC_SEED = '20261116' } = process.env;
const calls = Math.ceil(Number(FUZZ_CASES) * 0.4);

export const fuzz = {
  calls,
  lines: Number(FUZZ_CASES) - calls,
  seed: FC_SEED === 'random' ? randomInt(2 ** 31) : Number(FC_SEED),
} as const;

export function printed(what: string, counts: Readonly<Record<string, number>>): void {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`fuzz ${what}: ${parts.join(', ')}; FC_SEED=${fuzz.seed}\n`);
}

/** Words of our libraries, and of values that were printed without a thought. */
export const leakedWords =
  /zod|invalid_type|invalid_union|unrecognized_keys|Invalid input|Expected .{1,40}, received|expected .{1,40}, received|\[object Object\]|Maximum call stack|Cannot read propert|is not a function|is not iterable|node_modules|\bat .{1,80}\.ts:\d/;
