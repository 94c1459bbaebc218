/**
 * An answer as data: candidates from the fullest to the shortest, each made only when it is asked for. The edge sends
 * the first one that fits.
 */
export type View = Iterable<object>;

/** Characters that the variable texts of an answer may take, from a nearly full answer to none. */
const rooms = [6_000, 4_500, 3_000, 2_000, 1_200, 600, 300, 150, 60, 0] as const;

/** A view whose texts are cut to the room they get. */
export function shrinking(show: (room: number) => object): View {
  return {
    *[Symbol.iterator]() {
      for (const room of rooms) yield show(room);
    },
  };
}
