import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../core/errors.js';

/** Proof that a session was begun here, for a server that has no record of it any more. */
export class ResumeTokens {
  readonly #secret: string | undefined;

  constructor(secret: string | undefined) {
    this.#secret = secret;
  }

  /** Undefined when the operator has set no secret. */
  issue(sessionId: string): string | undefined {
    return this.#secret === undefined ? undefined : this.#sign(sessionId, this.#secret);
  }

  /** Refuses unless there is no secret, or the token is that of this session. */
  refuseWithout(sessionId: string, token: string | undefined): void {
    if (this.#secret === undefined) return;
    const expected = Buffer.from(this.#sign(sessionId, this.#secret));
    const given = Buffer.from(token ?? '');
    // In constant time: how long a refusal takes must not tell how much was right.
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw token === undefined
      ? new AppError('resume_token_missing', { sessionId })
      : new AppError('resume_token_wrong');
  }

  #sign(sessionId: string, secret: string): string {
    return createHmac('sha256', secret).update(`resume:${sessionId}`).digest('base64url');
  }
}
