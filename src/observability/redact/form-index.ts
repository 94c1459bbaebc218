/**
 * Finds the longest of many forms at a place in a text. Secrets can begin alike: comparing each of them with the text
 * would let a caller that passes thousands of them halt the server. For the same reason, a change costs about as much
 * with many forms as with few.
 */
export class FormIndex {
  /** By code units, as `<` compares. */
  readonly #sorted: string[] = [];
  /** How many secrets have a form, if more than one. */
  readonly #uses = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#sorted.length === 0;
  }

  add(form: string): void {
    const place = this.#lastUpTo(form, this.#sorted.length);
    if (this.#sorted[place] === form) this.#uses.set(form, (this.#uses.get(form) ?? 1) + 1);
    else this.#sorted.splice(place + 1, 0, form);
  }

  remove(form: string): void {
    const uses = this.#uses.get(form) ?? 1;
    if (uses > 2) this.#uses.set(form, uses - 1);
    else if (uses === 2) this.#uses.delete(form);
    else {
      const place = this.#lastUpTo(form, this.#sorted.length);
      if (this.#sorted[place] === form) this.#sorted.splice(place, 1);
    }
  }

  /**
   * The length of the longest form at a place; zero if there is none. After `maxSteps` forms that only begin like the
   * text, the length of what they have in common with it.
   */
  lengthAt(text: string, index: number, maxSteps: number): number {
    let rest = text.slice(index);
    let end = this.#sorted.length;
    for (let step = 0; step < maxSteps; step += 1) {
      const place = this.#lastUpTo(rest, end);
      const form = this.#sorted[place];
      if (form === undefined) return 0;
      const shared = sharedLength(form, rest);
      if (shared === form.length) return shared;
      // A shorter form that the text begins with is also a beginning of what both have in common.
      rest = rest.slice(0, shared);
      end = place;
    }
    return rest.length;
  }

  /** The place of the last form before `end` that is not greater than the text; -1 if there is none. */
  #lastUpTo(text: string, end: number): number {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (text < (this.#sorted[middle] ?? '')) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}

function sharedLength(form: string, text: string): number {
  let length = 0;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(length)) length += 1;
  return length;
}
