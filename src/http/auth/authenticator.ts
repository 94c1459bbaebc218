import type { Identity } from './identity.js';

/** Port: finds out who sends a request. */
export interface Authenticator {
  authenticate(request: Request): Promise<Identity | Refusal>;
}

/** Why a request is not served. */
export interface Refusal {
  readonly reason: 'no_token' | 'wrong_token' | 'expired_token' | 'wrong_audience' | 'missing_scope';
  readonly status: 401 | 403;
  readonly message: string;
  /** The WWW-Authenticate header: how to get the right token. */
  readonly challenge: string;
}

export function isRefusal(found: Identity | Refusal): found is Refusal {
  return 'challenge' in found;
}
