import type { RequestedOptions } from '../../core/options/index.js';
import { isHarmlessVariable } from '../../policy/leaf-trust.js';

/**
 * Collects secrets that callers pass to sessions: variables and headers at any depth, because agents have their own
 * servers. They are masked in results and logs only, never in what an approver reads. Only texts that look like a
 * credential count, so that ordinary words stay readable.
 */
export function callerSecrets(requested: RequestedOptions): string[] {
  return secretsBelow(requested).filter((text) => credential.test(text));
}

const credential = /^[\w.~+/=:@%-]{8,500}$/;

function secretsBelow(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'env') return textsIn(inner, isHarmlessVariable);
    if (key === 'headers') return textsIn(inner).flatMap((text) => text.split(/\s+/));
    if (key === 'url' && typeof inner === 'string') return inner.split(/[/?&=#]/).filter(isToken);
    return secretsBelow(inner);
  });
}

/** Hosted servers know their user by a part of the address. */
function isToken(part: string): boolean {
  return part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part) && !part.includes('.');
}

function textsIn(value: unknown, isLeftOut: (name: string) => boolean = () => false): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && !isLeftOut(name) ? [inner] : [],
  );
}
