/** Room for texts of a transcript that stay in memory. An agent can write gigabytes to its own transcript. */
export class Room {
  #left: number;

  constructor(chars: number) {
    this.#left = chars;
  }

  /** False if the texts do not fit: they must not be kept. */
  take(...texts: readonly (string | null | undefined)[]): boolean {
    const chars = charsIn(texts);
    if (chars > this.#left) return false;
    this.#left -= chars;
    return true;
  }

  /** The texts are no longer kept. */
  leave(...texts: readonly (string | null | undefined)[]): void {
    this.#left += charsIn(texts);
  }
}

function charsIn(texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
