/** A scrape, parsed by a real Prometheus parser. */
import parse, { type Family } from 'parse-prometheus-text-format';

type Counts = Readonly<Record<string, number>>;

export class Scrape {
  readonly families: ReadonlyMap<string, Family>;
  /** Every series by its name in the text, because the parser merges the series of a histogram. */
  readonly #series: ReadonlyMap<string, Family>;

  constructor(text: string) {
    this.families = byName(text);
    this.#series = byName(text.replaceAll(/^# TYPE .*$/gm, ''));
  }

  /** The values of a counter or gauge by labels, `a,b`. For a histogram, the number of observations. */
  counts(name: string): Counts {
    const isHistogram = this.families.get(name)?.type === 'HISTOGRAM';
    return this.values(isHistogram ? `${name}_count` : name);
  }

  /** The values of one series by labels. */
  values(name: string): Counts {
    const { metrics = [] } = this.#series.get(name) ?? {};
    return Object.fromEntries(
      metrics.map(({ labels = {}, value }) => [Object.values(labels).join(','), Number(value)]),
    );
  }

  /** All metrics of this server. */
  own(): Readonly<Record<string, Counts>> {
    const names = [...this.families.keys()].filter((name) => name.startsWith('claude_code_mcp_'));
    return Object.fromEntries(names.map((name) => [name, this.counts(name)]));
  }
}

/** Merges entries of the same name: without types, the parser returns the series of a histogram interleaved. */
function byName(text: string): ReadonlyMap<string, Family> {
  const found = new Map<string, Family>();
  for (const family of parse(text)) {
    const before = found.get(family.name)?.metrics ?? [];
    found.set(family.name, { ...family, metrics: [...before, ...family.metrics] });
  }
  return found;
}
