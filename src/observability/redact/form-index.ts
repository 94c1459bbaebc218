/**
 * Finds the longest of many forms at a place in a text. Secrets can begin alike: comparing each of them with the text
 * would let a caller that passes thousands of them halt the server.
 */
export class FormIndex {
  /** By code units, as `<` compares. */
  readonly #sorted: readonly string[];
  /** For each form, the place of the longest other form that it begins with; -1 if there is none. */
  readonly #beginnings: number[] = [];

  constructor(forms: Iterable<string>) {
    this.#sorted = [...new Set(forms)].toSorted((one, other) => (one < other ? -1 : 1));
    for (const [place, form] of this.#sorted.entries())
      this.#beginnings.push(this.#lastBeginning(form, 0, place - 1));
  }

  find(text: string, index: number): string | undefined {
    return this.#sorted[this.#lastBeginning(text, index, this.#lastUpTo(text, index))];
  }

  /** Forms that a text begins with are also beginnings of the last form that is not greater than the text. */
  #lastBeginning(text: string, index: number, last: number): number {
    let place = last;
    while (place !== -1 && !text.startsWith(this.#sorted[place] ?? '', index))
      place = this.#beginnings[place] ?? -1;
    return place;
  }

  /** The place of the last form that is not greater than the text from `index` on; -1 if there is none. */
  #lastUpTo(text: string, index: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const form = this.#sorted[middle] ?? '';
      if (text.slice(index, index + form.length) < form) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}
