/** Room for the outline of every message with a usual id and method. */
const maxOutlineBytes = 8 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);

/**
 * The top level of a JSON text, read byte by byte: nested objects and arrays become empty ones. It contains the
 * id of a message that is too long to keep, at any position.
 */
export class Outline {
  #kept: number[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const before = this.#depth;
      this.#follow(byte);
      const isKept = before <= 1 || this.#depth <= 1;
      if (isKept && this.#kept.length <= maxOutlineBytes) this.#kept.push(byte);
    }
  }

  /** Undefined if the outline is too long itself. */
  text(): string | undefined {
    return this.#kept.length > maxOutlineBytes ? undefined : Buffer.from(this.#kept).toString('utf8');
  }

  #follow(byte: number): void {
    if (!this.#isInString) {
      if (byte === quote) this.#isInString = true;
      else if (openings.has(byte)) this.#depth += 1;
      else if (closings.has(byte)) this.#depth -= 1;
    } else if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
  }
}
