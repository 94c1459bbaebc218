import type { AnswerPart } from '../../core/claude/backend.js';

/** US dollars per million tokens of the most expensive model: an estimate should be too high rather than too low. */
const dearest: Readonly<Record<string, number>> = {
  input_tokens: 15,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 1.5,
};
const dearestOutput = 75;

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

function priceOf({ usage, chars }: AnswerPart): number {
  // The reported output count often dates from before the output was written.
  let perMillion = Math.max(count(usage['output_tokens']), chars * tokensPerChar) * dearestOutput;
  for (const kind in dearest) perMillion += count(usage[kind]) * (dearest[kind] ?? 0);
  return perMillion / 1_000_000;
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
