import { AppError } from '../../core/errors.js';
import { attachmentLimits, sentCharsOf } from '../../core/claude/attachment.js';
import type { Prompt } from '../../core/claude/backend.js';
import { oncePerKey } from '../../inputs/once-per-key.js';
import { labelOf, maxSavedBytes, savedBytesOf, type Asked } from './asked.js';

const maxQueued = 10;

interface QueuedPrompt<C> {
  readonly prompt: Prompt;
  readonly changes: C;
}

interface Waiting<C> extends QueuedPrompt<C> {
  /** The turn that ran when the prompt was queued. */
  readonly behind: number | undefined;
}

/** Prompts that wait for the running turn to end: one turn each, first come first served. */
export class PromptQueue<C> {
  /** Prompts, redacted, that could not run. They do so only if the caller sends them again. */
  kept: readonly string[];
  readonly #redact: (text: string) => string;
  #prompts: readonly Waiting<C>[] = [];

  constructor(kept: readonly string[], redact: (text: string) => string) {
    this.kept = kept;
    this.#redact = redact;
  }

  /** The same list until the queue changes. */
  get texts(): readonly string[] {
    return textsOf(this.#prompts);
  }

  /** What the waiting prompts will change, in their order. */
  get changes(): readonly C[] {
    return this.#prompts.map(({ changes }) => changes);
  }

  add(prompt: Prompt, changes: C, behind?: number): void {
    if (this.#prompts.length >= maxQueued) {
      throw new AppError('queue_full', { limit: maxQueued });
    }
    const waiting = [...this.#prompts.map((queued) => queued.prompt), prompt];
    const { queuedChars: limit } = attachmentLimits;
    if (waiting.reduce((sum, { attachments }) => sum + sentCharsOf(attachments), 0) > limit)
      throw new AppError('queue_too_large', { what: 'files', limit });
    if (savedBytesOf(waiting) > maxSavedBytes)
      throw new AppError('queue_too_large', { what: 'text', limit: maxSavedBytes });
    this.#prompts = [...this.#prompts, { prompt, changes, behind }];
  }

  /** Hands over the prompts that were meant to steer this turn. Another turn may do what their caller must not use. */
  join(turn: number, steer: (prompt: Prompt, changes: C) => boolean): void {
    const isMeant = ({ prompt, behind }: Waiting<C>): boolean =>
      prompt.delivery === 'steer' && behind === turn;
    for (const waiting of this.#prompts.filter(isMeant)) {
      // The record of the session is written while it joins.
      const before = this.#prompts;
      this.#prompts = before.filter((other) => other !== waiting);
      if (!steer(waiting.prompt, waiting.changes)) this.#prompts = before;
    }
  }

  next(): QueuedPrompt<C> | undefined {
    const [next, ...others] = this.#prompts;
    this.#prompts = others;
    return next && { prompt: { ...next.prompt, delivery: 'turn' }, changes: next.changes };
  }

  amend(change: (changes: C) => C): void {
    this.#prompts = this.#prompts.map((waiting) => ({ ...waiting, changes: change(waiting.changes) }));
  }

  /** The server stops, or the prompts would fail like the one before: they stay on record, but nothing runs them. */
  keepAll(): void {
    const kept = [...this.kept, ...this.texts.map(this.#redact)].slice(-maxQueued);
    while (Buffer.byteLength(JSON.stringify(kept)) > maxSavedBytes + 100) kept.shift();
    this.kept = kept;
    this.#prompts = [];
  }

  /** A kept prompt that was sent again is no longer kept. */
  noteSent(prompts: readonly Asked[]): void {
    const sent = new Set(prompts.map((prompt) => this.#redact(labelOf(prompt))));
    this.kept = this.kept.filter((kept) => !sent.has(kept));
  }

  /** Empties the queue and returns how many prompts were dropped. */
  drop(): number {
    const dropped = this.#prompts.length + this.kept.length;
    this.#prompts = [];
    this.kept = [];
    return dropped;
  }
}

const textsOf = oncePerKey((prompts: readonly Waiting<unknown>[]) =>
  prompts.map(({ prompt }) => labelOf(prompt)),
);
