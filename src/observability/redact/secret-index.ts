import { FormIndex } from './form-index.js';
import { minSecretChars } from './secret-values.js';
import { Windows } from './windows.js';

/** All forms of all secrets, by their first characters. */
export class SecretIndex {
  readonly #forms = new Map<string, FormIndex>();
  readonly #windows = new Windows();

  add(form: string): void {
    const beginning = beginningOf(form, 0);
    const known = this.#forms.get(beginning) ?? new FormIndex();
    if (known.isEmpty) {
      this.#forms.set(beginning, known);
      this.#windows.add(beginning);
    }
    known.add(form);
  }

  remove(form: string): void {
    const beginning = beginningOf(form, 0);
    const known = this.#forms.get(beginning);
    known?.remove(form);
    if (known?.isEmpty !== true) return;
    this.#forms.delete(beginning);
    this.#windows.remove(beginning);
  }

  /** Where forms are in a text, from left to right: at each place the longest. They do not overlap. */
  *placesIn(text: string, maxSteps: number): Generator<{ readonly index: number; readonly end: number }> {
    if (this.#forms.size === 0) return;
    for (let index = this.#windows.next(text, 0); index !== -1;) {
      const length = this.#forms.get(beginningOf(text, index))?.lengthAt(text, index, maxSteps) ?? 0;
      if (length > 0) yield { index, end: index + length };
      index = this.#windows.next(text, index + Math.max(1, length));
    }
  }
}

function beginningOf(text: string, index: number): string {
  return text.slice(index, index + minSecretChars);
}
