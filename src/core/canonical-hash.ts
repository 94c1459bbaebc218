import { createHash } from 'node:crypto';

/** Returns equal hashes for values that differ only in the order of their keys. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Wrapped in an object, so that an object and the array of its entries hash differently.
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
