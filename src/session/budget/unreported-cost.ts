import type { AnswerPart } from '../../core/claude/backend.js';

/** US dollars for a million tokens of the dearest model: what is not told is rather taken for too much than for too little. */
const dearest: Readonly<Record<string, number>> = {
  input_tokens: 15,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 1.5,
};
const dearestOutput = 75;

/** No text has more tokens than this for each of its characters, on the whole. */
const tokensPerChar = 0.5;

/** What answers of the model may have cost whose price Claude Code has not told yet. */
export class UnreportedCost {
  #earlierUsd = 0;
  /** Claude Code tells of an answer several times, each time with a part of its content. */
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
  // The count of the output is often one from before it was written.
  let perMillion = Math.max(count(usage['output_tokens']), chars * tokensPerChar) * dearestOutput;
  for (const kind in dearest) perMillion += count(usage[kind]) * (dearest[kind] ?? 0);
  return perMillion / 1_000_000;
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
