import type { Redactor } from '../../core/observability/redactor.js';
import { cutMiddle } from '../../core/text/escape.js';

/** A prompt that the session has received, and its place among the events. */
export interface PromptNote {
  readonly uuid: string;
  /** Redacted. */
  readonly text: string;
  readonly turn: number;
  readonly at: number;
  /** The last event before it. */
  readonly afterSeq: number;
}

const maxNotes = 200;
const maxTextChars = 20_000;

/** The latest prompts of a session. They are not events: a caller knows what it has sent. */
export class PromptNotes {
  readonly #redactor: Redactor;
  readonly #notes = new Map<string, PromptNote>();
  /** Of all texts. */
  chars = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** False if it was noted before. */
  note(prompt: PromptNote): boolean {
    // A steering prompt that came too late begins a turn, but stays where it was sent.
    if (prompt.text === '' || this.#notes.has(prompt.uuid)) return false;
    // Redacted before it is truncated: half a secret is no longer recognised.
    const text = cutMiddle(this.#redactor.redact(prompt.text), maxTextChars);
    this.#notes.set(prompt.uuid, { ...prompt, text });
    this.chars += text.length;
    const [oldest] = this.#notes.values();
    if (this.#notes.size > maxNotes && oldest !== undefined && this.#notes.delete(oldest.uuid))
      this.chars -= oldest.text.length;
    return true;
  }

  /** Oldest first. */
  get list(): readonly PromptNote[] {
    return [...this.#notes.values()];
  }
}
