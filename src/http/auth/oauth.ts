import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import type { Clock } from '../../core/clock.js';
import { asList, asText } from '../../core/json.js';
import type { Logger } from '../../core/observability/logger.js';
import type { LoginProblem, TokenKind } from './authenticator.js';
import { scopes, type Identity, type ScopeNames } from './identity.js';
import { KeysUnavailable } from './issuer-keys.js';

export interface OAuthSettings {
  readonly issuer: string;
  readonly audience: string;
  /** The claim that names the principal. */
  readonly principalClaim: string;
  /** Principals by the value of that claim. A value that is not listed is the name of the principal itself. */
  readonly principals: ReadonlyMap<string, string>;
  /** The scope of the issuer that grants each scope of the service. Without a name, no token of the issuer has it. */
  readonly scopeNames: ScopeNames;
  /** The principal that only `principals` can name, because it owns the sessions of the operator. */
  readonly owner: string;
}

export interface OAuthDependencies {
  readonly keys: JWTVerifyGetKey;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asymmetric only: with a shared key, the service itself could issue tokens. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const maxNameChars = 200;

/** Anyone can send a token that fits all keys of the issuer. */
const maxKeys = 16;

/** Accepts access tokens of an OAuth 2.1 issuer (JWT, RFC 9068) that are meant for this service. */
export function oauthTokens(settings: OAuthSettings, { keys, clock, logger }: OAuthDependencies): TokenKind {
  const { issuer, audience, principalClaim } = settings;
  return {
    owns: (token) => token.split('.').length === 3,
    async identify(token): Promise<Identity | LoginProblem> {
      try {
        const payload = await verified(token, keys, {
          issuer,
          audience,
          algorithms,
          requiredClaims: ['exp', 'sub', principalClaim],
          currentDate: new Date(clock.now()),
        });
        return toIdentity(payload, settings) ?? 'wrong_token';
      } catch (error) {
        if (error instanceof KeysUnavailable)
          logger.log('error', 'the keys of the OAuth issuer cannot be fetched', { reason: error.message });
        return problemOf(error);
      }
    },
    // A token ends only when it expires, which the leases check themselves.
    isInForce: async () => true,
  };
}

/** Several keys fit a token that names none, or while an issuer replaces a key under the same id. */
async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tries = 0;
    for await (const key of error) {
      tries += 1;
      if (tries > maxKeys) break;
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (problem) {
        if (!(problem instanceof errors.JWSSignatureVerificationFailed)) throw problem;
      }
    }
    throw error;
  }
}

function toIdentity(payload: JWTPayload, settings: OAuthSettings): Identity | undefined {
  const { principalClaim, principals, scopeNames, owner } = settings;
  const claimed = asText(payload[principalClaim]);
  const { sub = '', exp } = payload;
  if (claimed === undefined || claimed === '' || claimed.length > maxNameChars || sub.length > maxNameChars)
    return undefined;
  const principal = principals.get(claimed) ?? claimed;
  if (principal === owner && !principals.has(claimed)) return undefined;
  const granted = grantedBy(payload);
  return {
    principal,
    credential: `oauth:${sub}`,
    scopes: scopes.filter((scope) => granted.has(scopeNames[scope] ?? '')),
    expiresAt: exp,
  };
}

/** `scope` is a text with spaces. Some issuers use `scp` instead, as a text or a list. */
function grantedBy({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const texts = [scope, scp, ...asList(scp)].map((value) => asText(value) ?? '');
  return new Set(texts.flatMap((text) => text.split(' ')).filter((name) => name !== ''));
}

function problemOf(error: unknown): LoginProblem {
  if (error instanceof KeysUnavailable) return 'login_unavailable';
  if (error instanceof errors.JWTExpired) return 'expired_token';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') return 'wrong_audience';
  return 'wrong_token';
}
