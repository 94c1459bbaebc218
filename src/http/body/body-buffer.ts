/** More than networks cut a body into. Each chunk costs time, even if it is a single byte. */
const maxChunks = 20_000;

/** Collects a body in one piece of memory: many small chunks would need far more than their bytes. */
export class BodyBuffer {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #chunks = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False if the body is too long, or consists of too many chunks. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    this.#chunks += 1;
    if (length > this.#maxBytes || this.#chunks > maxChunks) return false;
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(4_096, length, this.#bytes.length * 2)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  take(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
