import type { EffectiveOptions } from '../../core/options/index.js';
import type { TurnResult } from '../../core/session/turn-result.js';
import type { PromptNotes } from './prompt-notes.js';

export interface HeldTexts {
  readonly options: EffectiveOptions;
  /** Prompts that have not run. */
  readonly kept: readonly string[];
  readonly prompts: Pick<PromptNotes, 'chars'>;
  readonly lastResult: TurnResult | undefined;
}

/** What a session takes without its texts. */
const ownBytes = 16 * 1024;

/** Options can have megabytes, are asked for often, and rarely change. */
const sizes = new WeakMap<EffectiveOptions, number>();

/** Roughly what a session takes in memory, besides its events. */
export function heldBytes({ options, kept, prompts, lastResult }: HeldTexts): number {
  const size = sizes.get(options) ?? JSON.stringify(options).length;
  sizes.set(options, size);
  const unsent = kept.reduce((sum, text) => sum + text.length, 0);
  return ownBytes + size + unsent + prompts.chars + (lastResult?.result.length ?? 0);
}
