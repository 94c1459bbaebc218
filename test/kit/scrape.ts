/** A scrape as a real Prometheus parser reads it. */
import { createRequire } from 'node:module';

interface ParsedSample {
  readonly value?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buckets?: Readonly<Record<string, string>>;
  readonly count?: string;
  readonly sum?: string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly ParsedSample[];
}

// It has no types, and its ES module is one that only bundlers take for one.
const parse = createRequire(import.meta.url)('parse-prometheus-text-format') as (
  text: string,
) => readonly Family[];

export class Scrape {
  readonly families: ReadonlyMap<string, Family>;

  constructor(text: string) {
    this.families = new Map(parse(text).map((family) => [family.name, family]));
  }

  /** Every series of a counter or gauge, `a,b` for its label values; of a histogram, how often it was observed. */
  counts(name: string): Readonly<Record<string, number>> {
    const { metrics = [] } = this.families.get(name) ?? {};
    return Object.fromEntries(
      metrics.map(({ labels = {}, value, count }) => [
        Object.values(labels).join(','),
        Number(value ?? count),
      ]),
    );
  }
}
