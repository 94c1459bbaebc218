import { createHash } from 'node:crypto';

/** The same for values that differ in nothing but the order of their keys. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Pairs under a key of their own: an object must not hash like the array of its pairs.
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
