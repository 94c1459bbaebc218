import { cutMiddle } from '../../core/text/escape.js';

/** Of the room, for each text: one alone may take nearly all of it, many have to share. */
const shares = [1, 0.9, 0.7, 0.5, 0.3, 0.15, 0.07, 0.03] as const;

/** The object with its longest texts cut until it fits into `room` characters; each says how much of it is hidden. */
export function shortenedObject(
  value: Readonly<Record<string, unknown>>,
  room: number,
): Readonly<Record<string, unknown>> {
  for (const share of shares) {
    const short = cutTexts(value, Math.floor(room * share)) as Record<string, unknown>;
    if (JSON.stringify(short).length <= room) return short;
  }
  // Too many parts: none of them says much any more.
  return { input: cutMiddle(JSON.stringify(value), room) };
}

function cutTexts(value: unknown, maxChars: number): unknown {
  if (typeof value === 'string') return cutMiddle(value, maxChars);
  if (Array.isArray(value)) return value.map((inner) => cutTexts(inner, maxChars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, maxChars)]));
}
