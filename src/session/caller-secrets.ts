import type { RequestedOptions } from '../core/options/index.js';

/**
 * What callers give sessions as secrets: variables and headers, at any depth (agents have servers of their own).
 * Of headers, which every caller may set, only single words: nobody may have a whole command hidden from whoever
 * approves it.
 */
export function callerSecrets(requested: RequestedOptions): string[] {
  return secretsBelow(requested);
}

function secretsBelow(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'env') return textsIn(inner);
    if (key === 'headers') return textsIn(inner).flatMap((text) => text.split(/\s+/));
    return secretsBelow(inner);
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((inner) => typeof inner === 'string');
}
