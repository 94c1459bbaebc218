import { cutMiddle } from '../../core/text/escape.js';

/** Share of the room per text: a single long text can use nearly all of it, many must divide it. */
const shares = [1, 0.9, 0.7, 0.5, 0.3, 0.15, 0.07, 0.03] as const;

/**
 * Truncates the longest texts of an object until it fits into a room. Each says how much is hidden. An object that fits
 * is returned as it is.
 */
export function shortening(
  value: Readonly<Record<string, unknown>>,
): (room: number) => Readonly<Record<string, unknown>> {
  const whole = JSON.stringify(value);
  return (room) => {
    if (whole.length <= room) return value;
    for (const share of shares) {
      const short = cutTexts(value, Math.floor(room * share)) as Record<string, unknown>;
      if (JSON.stringify(short).length <= room) return short;
    }
    // Too many parts: even short texts do not fit.
    return { input: cutMiddle(whole, room) };
  };
}

function cutTexts(value: unknown, maxChars: number): unknown {
  if (typeof value === 'string') return cutMiddle(value, maxChars);
  if (Array.isArray(value)) return value.map((inner) => cutTexts(inner, maxChars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, maxChars)]));
}
