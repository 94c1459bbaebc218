import { AppError } from '../../core/errors.js';
import type { Prompt } from '../../core/claude/backend.js';

const maxQueued = 10;

interface QueuedPrompt<C> {
  readonly prompt: Prompt;
  readonly changes: C;
}

/** Prompts that wait for the running turn to end: one turn each, first come first served. */
export class PromptQueue<C> {
  #prompts: QueuedPrompt<C>[] = [];

  get length(): number {
    return this.#prompts.length;
  }

  add(prompt: Prompt, changes: C): void {
    if (this.#prompts.length >= maxQueued) {
      throw new AppError('queue_full', { limit: maxQueued });
    }
    this.#prompts.push({ prompt, changes });
  }

  next(): QueuedPrompt<C> | undefined {
    return this.#prompts.shift();
  }

  amend(change: (changes: C) => C): void {
    this.#prompts = this.#prompts.map(({ prompt, changes }) => ({ prompt, changes: change(changes) }));
  }

  /** Empties the queue and returns how many prompts were dropped. */
  drop(): number {
    const dropped = this.#prompts.length;
    this.#prompts = [];
    return dropped;
  }
}
