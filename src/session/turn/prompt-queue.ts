import { AppError } from '../../core/errors.js';
import { attachmentLimits, sentCharsOf } from '../../core/claude/attachment.js';
import type { Prompt } from '../../core/claude/backend.js';
import { labelOf } from './asked.js';

const maxQueued = 10;

interface QueuedPrompt<C> {
  readonly prompt: Prompt;
  readonly changes: C;
}

/** Prompts that wait for the running turn to end: one turn each, first come first served. */
export class PromptQueue<C> {
  /** Prompts that waited when their server stopped. They run only if the caller sends them again. */
  kept: readonly string[];
  #prompts: QueuedPrompt<C>[] = [];

  constructor(kept: readonly string[] = []) {
    this.kept = kept;
  }

  get texts(): readonly string[] {
    return this.#prompts.map(({ prompt }) => labelOf(prompt));
  }

  add(prompt: Prompt, changes: C): void {
    if (this.#prompts.length >= maxQueued) {
      throw new AppError('queue_full', { limit: maxQueued });
    }
    const waiting = [...this.#prompts.map((queued) => queued.prompt), prompt];
    const { queuedChars: limit } = attachmentLimits;
    if (waiting.reduce((sum, { attachments }) => sum + sentCharsOf(attachments), 0) > limit)
      throw new AppError('queue_too_large', { limit });
    this.#prompts.push({ prompt, changes });
  }

  next(): QueuedPrompt<C> | undefined {
    return this.#prompts.shift();
  }

  amend(change: (changes: C) => C): void {
    this.#prompts = this.#prompts.map(({ prompt, changes }) => ({ prompt, changes: change(changes) }));
  }

  /** The server stops: the prompts stay on record, but nothing runs them. */
  keepAll(): void {
    this.kept = [...this.kept, ...this.texts];
    this.#prompts = [];
  }

  /** A kept prompt that was sent again is no longer kept. */
  noteSent(texts: readonly string[]): void {
    this.kept = this.kept.filter((kept) => !texts.includes(kept));
  }

  /** Empties the queue and returns how many prompts were dropped. */
  drop(): number {
    const dropped = this.#prompts.length + this.kept.length;
    this.#prompts = [];
    this.kept = [];
    return dropped;
  }
}
