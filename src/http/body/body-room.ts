/** Of all long bodies of a principal. The longest ones fit sixteen times. */
const defaultBytes = 64 * 1_048_576;
/** Short requests, such as the answer of a person, get through even if long ones fill the room. */
const freeBytes = 65_536;

/** Limits the memory that the bodies of one principal take while their requests run. */
export class BodyRoom {
  #leftBytes: number;

  constructor(bytes = defaultBytes) {
    this.#leftBytes = bytes;
  }

  /** For one body, until `ended`. The returned function says whether there is room for its next bytes. */
  open(ended: Promise<void>): (bytes: number) => boolean {
    let [length, taken, isOpen] = [0, 0, true];
    void ended.then(() => {
      isOpen = false;
      this.#leftBytes += taken;
    });
    return (bytes) => {
      length += bytes;
      const more = isOpen ? Math.max(0, length - freeBytes) - taken : 0;
      if (more > this.#leftBytes) return false;
      taken += more;
      this.#leftBytes -= more;
      return true;
    };
  }
}
