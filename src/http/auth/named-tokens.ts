import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { LoginProblem, TokenKind } from './authenticator.js';
import type { Identity } from './identity.js';
import { tokenIdOf, tokenPrefix, type SavedToken, type TokenFile } from './token-file.js';
import type { LastUses } from './last-uses.js';

export interface NamedTokensSettings {
  readonly file: TokenFile;
  readonly uses: LastUses;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Accepts the tokens of the state folder. */
export function namedTokens({ file, uses, clock, logger }: NamedTokensSettings): TokenKind {
  const isExpired = ({ expiresAt }: SavedToken): boolean =>
    expiresAt !== undefined && clock.now() >= expiresAt;
  return {
    owns: (token) => token.startsWith(tokenPrefix),
    async identify(token): Promise<Identity | LoginProblem> {
      try {
        const found = await file.find(token);
        if (found === undefined) return 'wrong_token';
        if (isExpired(found)) return 'expired_token';
        uses.note(tokenIdOf(found));
        return toIdentity(found);
      } catch (error) {
        logger.log('error', 'the tokens cannot be read', { reason: messageOf(error) });
        return 'login_unavailable';
      }
    },
    async isInForce({ tokenId }) {
      if (tokenId === undefined) return true;
      const saved = (await file.list()).find((token) => tokenIdOf(token) === tokenId);
      return saved !== undefined && !isExpired(saved);
    },
  };
}

function toIdentity(saved: SavedToken): Identity {
  const { principal, name, scopes, expiresAt } = saved;
  return {
    principal,
    credential: name,
    scopes,
    expiresAt: expiresAt === undefined ? undefined : Math.ceil(expiresAt / 1_000),
    tokenId: tokenIdOf(saved),
  };
}
