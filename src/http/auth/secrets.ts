import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Too long to guess, so its hash needs no salt and no delay. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** In constant time. */
export function hasHash(secret: string, sha256: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(sha256));
}

export const sha256Pattern = /^[0-9a-f]{64}$/;
