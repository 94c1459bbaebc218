import type { Authenticator } from './authenticator.js';
import type { TokenFile } from './token-file.js';

/** Accepts the tokens of the state folder. */
export function tokenAuthenticator(tokens: TokenFile): Authenticator {
  return {
    async authenticate(request) {
      const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      if (token === undefined)
        return {
          reason: 'no_token',
          status: 401,
          message: 'This service needs a bearer token. Create one with "claude-code-mcp token create".',
          challenge: 'Bearer',
        };
      return (
        (await tokens.identify(token)) ?? {
          reason: 'wrong_token',
          status: 401,
          message:
            'This token is unknown, or it was revoked. Create one with "claude-code-mcp token create".',
          challenge: 'Bearer error="invalid_token"',
        }
      );
    },
  };
}
