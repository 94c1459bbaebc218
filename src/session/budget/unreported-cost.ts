import type { AnswerPart } from '../../core/claude/backend.js';

/**
 * List prices of the most expensive model in November 2026, in US dollars per million tokens. An estimate should be too
 * high rather than too low, so only a new, more expensive model makes this table wrong.
 */
const highestPrices = {
  input: 15,
  cacheWrite: 30,
  cacheRead: 1.5,
  output: 75,
} as const;

/** An upper bound for the tokens per character of a text. */
const tokensPerChar = 0.5;

/** The estimated cost of model responses that Claude Code has not priced yet. */
export class UnreportedCost {
  #earlierUsd = 0;
  /** Claude Code reports a response several times, each time with a part of its content. */
  #latest: AnswerPart | undefined;

  note(part: AnswerPart): void {
    if (this.#latest?.id === part.id) {
      this.#latest = { ...part, chars: this.#latest.chars + part.chars };
      return;
    }
    this.#earlierUsd = this.usd;
    this.#latest = part;
  }

  get usd(): number {
    return this.#earlierUsd + (this.#latest === undefined ? 0 : priceOf(this.#latest));
  }

  clear(): void {
    this.#earlierUsd = 0;
    this.#latest = undefined;
  }
}

/** Called for every message, so without a loop over the table. */
function priceOf({ usage, chars }: AnswerPart): number {
  // The reported output count is often outdated: it predates the text.
  const outputTokens = Math.max(count(usage['output_tokens']), chars * tokensPerChar);
  const perMillion =
    count(usage['input_tokens']) * highestPrices.input +
    count(usage['cache_creation_input_tokens']) * highestPrices.cacheWrite +
    count(usage['cache_read_input_tokens']) * highestPrices.cacheRead +
    outputTokens * highestPrices.output;
  return perMillion / 1_000_000;
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
