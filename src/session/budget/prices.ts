/** US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** List prices of the most expensive model in November 2026. */
const highest: Prices = { input: 15, cacheWrite: 30, cacheRead: 1.5, output: 75 };

/**
 * List prices by family, for long contexts and caches of an hour. An estimate should be too high rather than too low,
 * so only a more expensive model under a known name makes this table wrong.
 */
const families: readonly (readonly [RegExp, Prices])[] = [
  [/haiku/, { input: 1, cacheWrite: 2, cacheRead: 0.1, output: 5 }],
  [/sonnet/, { input: 6, cacheWrite: 12, cacheRead: 0.6, output: 22.5 }],
  [/opus-4-[5-9]/, { input: 5, cacheWrite: 10, cacheRead: 0.5, output: 25 }],
];

/** Asked for every message, nearly always about the same model. */
let latest: { readonly model: string | undefined; readonly prices: Prices } = {
  model: undefined,
  prices: highest,
};

export function pricesOf(model: string | undefined): Prices {
  if (model !== latest.model)
    latest = {
      model,
      prices: families.find(([name]) => model !== undefined && name.test(model))?.[1] ?? highest,
    };
  return latest.prices;
}
