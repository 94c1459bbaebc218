import type { AnswerUsage } from '../core/backend.js';

/** US dollars for a million tokens of the dearest model: what is not told is rather taken for too much than for too little. */
const dearest = { input: 15, cacheWrite: 30, cacheRead: 1.5, output: 75 } as const;

/** No text has more tokens than this for each of its characters, on the whole. */
const tokensPerChar = 0.5;

/** What answers of the model may have cost whose price Claude Code has not told yet. */
export class UntoldCost {
  /** By answer: Claude Code tells of one several times, each time with a part of its content. */
  readonly #answers = new Map<string, { usd: number; chars: number }>();

  note({ id, input, cacheRead, cacheWrite, output, chars }: AnswerUsage): void {
    const written = (this.#answers.get(id)?.chars ?? 0) + chars;
    // The count of the output is often one from before it was written.
    const outputTokens = Math.max(output, written * tokensPerChar);
    const perMillion =
      input * dearest.input +
      cacheRead * dearest.cacheRead +
      cacheWrite * dearest.cacheWrite +
      outputTokens * dearest.output;
    this.#answers.set(id, { usd: perMillion / 1_000_000, chars: written });
  }

  get usd(): number {
    return [...this.#answers.values()].reduce((sum, { usd }) => sum + usd, 0);
  }

  clear(): void {
    this.#answers.clear();
  }
}
