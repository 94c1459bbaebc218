/** Sixteen of the longest bodies. */
const defaultBytes = 64 * 1_048_576;
/** Short texts, such as the answer of a person, get through even if long ones fill the room. */
const freeBytes = 65_536;

/** What one request or answer takes of a room. */
export interface Share {
  /** False if there is no room for so many more bytes. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Gives everything back. From then on, nothing is counted. */
  end(): void;
}

/** The memory that all requests of one principal, or all answers to it, may take together. */
export class Room {
  #leftBytes: number;

  constructor(bytes = defaultBytes) {
    this.#leftBytes = bytes;
  }

  share(): Share {
    let [length, taken, isOpen] = [0, 0, true];
    const use = (bytes: number): boolean => {
      if (!isOpen) return true;
      const more = Math.max(0, bytes - freeBytes) - taken;
      if (more > this.#leftBytes) return false;
      length = bytes;
      taken += more;
      this.#leftBytes -= more;
      return true;
    };
    return {
      take: (bytes) => use(length + bytes),
      give: (bytes) => void use(length - bytes),
      end: () => {
        use(0);
        isOpen = false;
      },
    };
  }

  /** A share that ends by itself. The returned function takes bytes. */
  open(ended: Promise<void>): Share['take'] {
    const share = this.share();
    void ended.then(() => share.end());
    return (bytes) => share.take(bytes);
  }
}

/** A room for each principal. */
export class Rooms {
  readonly #rooms = new Map<string, Room>();

  of(principal: string): Room {
    const room = this.#rooms.get(principal) ?? new Room();
    this.#rooms.set(principal, room);
    return room;
  }
}
