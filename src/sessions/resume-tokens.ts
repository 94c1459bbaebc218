import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../core/errors.js';

/** Proves that a session was started here, for a server that no longer has its record. */
export class ResumeTokens {
  readonly #secret: string | undefined;

  constructor(secret: string | undefined) {
    this.#secret = secret;
  }

  /** Returns undefined if the operator set no secret. */
  issue(sessionId: string): string | undefined {
    return this.#secret === undefined ? undefined : this.#sign(sessionId, this.#secret);
  }

  /** Throws if a secret is set and the token does not match this session. */
  refuseWithout(sessionId: string, token: string | undefined): void {
    if (this.#secret === undefined) return;
    const expected = Buffer.from(this.#sign(sessionId, this.#secret));
    const given = Buffer.from(token ?? '');
    // Constant time, so that the duration of a refusal does not reveal how much of the token was right.
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw token === undefined
      ? new AppError('resume_token_missing', { sessionId })
      : new AppError('resume_token_wrong');
  }

  #sign(sessionId: string, secret: string): string {
    return createHmac('sha256', secret).update(`resume:${sessionId}`).digest('base64url');
  }
}
