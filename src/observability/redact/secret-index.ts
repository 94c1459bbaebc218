import { FormIndex } from './form-index.js';
import { minSecretChars } from './secret-values.js';
import { Windows } from './windows.js';

interface Place {
  readonly index: number;
  readonly end: number;
}

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

  /** The next place of a form from `from` on; there, the longest. */
  next(text: string, from: number, maxSteps: number): Place | undefined {
    if (this.#forms.size === 0) return undefined;
    for (let index = from; (index = this.#windows.next(text, index)) !== -1; index += 1) {
      const length = this.#forms.get(beginningOf(text, index))?.lengthAt(text, index, maxSteps) ?? 0;
      if (length > 0) return { index, end: index + length };
    }
    return undefined;
  }
}

function beginningOf(text: string, index: number): string {
  return text.slice(index, index + minSecretChars);
}
