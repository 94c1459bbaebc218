import type { RefusalReason } from '../../core/observability/measurements.js';
import type { Identity } from './identity.js';

/** Why a bearer token is not accepted. */
export type LoginProblem = Extract<
  RefusalReason,
  'no_token' | 'wrong_token' | 'expired_token' | 'wrong_audience' | 'login_unavailable'
>;

/** Port: finds out who sends a request. */
export interface Authenticator {
  authenticate(request: Request): Promise<Identity | LoginProblem>;
  /** Whether a credential that was accepted earlier is still valid. */
  isInForce(identity: Identity): Promise<boolean>;
}

/** One kind of bearer token. */
export interface TokenKind {
  /** By its form only. */
  owns(token: string): boolean;
  identify(token: string): Promise<Identity | LoginProblem>;
  isInForce(identity: Identity): Promise<boolean>;
}

/** Accepts bearer tokens of several kinds. The first kind that recognizes the form of a token decides. */
export function bearerAuthenticator(kinds: readonly TokenKind[]): Authenticator {
  return {
    async authenticate({ headers }) {
      const [, token] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
      if (token === undefined) return 'no_token';
      const kind = kinds.find((one) => one.owns(token));
      return kind === undefined ? 'wrong_token' : kind.identify(token);
    },
    async isInForce(identity) {
      const answers = await Promise.all(kinds.map((kind) => kind.isInForce(identity)));
      return answers.every(Boolean);
    },
  };
}
