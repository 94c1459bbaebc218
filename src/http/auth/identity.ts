import type { AuthInfo } from '@modelcontextprotocol/server';

/** What a credential allows. call: use the tools. approve: answer requests. admin: act for every principal. */
export const scopes = ['call', 'approve', 'admin'] as const;

export type Scope = (typeof scopes)[number];

/** Names of the scopes at an issuer. */
export type ScopeNames = Readonly<Partial<Record<Scope, string>>>;

/** The sender of a request: on whose behalf it acts, and with which credential. */
export interface Identity {
  /** The owner of the sessions. */
  readonly principal: string;
  /** The name of the token, or `oauth:` and the subject of an OAuth token. For logs and the audit log. */
  readonly credential: string;
  readonly scopes: readonly Scope[];
  /** In seconds since 1970. Undefined: until it is revoked. */
  readonly expiresAt?: number | undefined;
  /** Distinguishes a named token from an earlier one of the same name. Undefined for OAuth. */
  readonly tokenId?: string | undefined;
}

/** Whether two requests come from the same credential with the same rights. */
export function isSameCredential(one: Identity, other: Identity): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ principal, credential, tokenId, scopes: granted }: Identity): string {
  return JSON.stringify([principal, credential, tokenId, scopes.filter((scope) => granted.includes(scope))]);
}

/** Passes the identity through the MCP SDK, which knows only OAuth. The token itself is not passed on. */
export function toAuthInfo({ principal, credential, scopes: granted, expiresAt }: Identity): AuthInfo {
  return {
    token: '',
    clientId: principal,
    scopes: [...granted],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    extra: { credential },
  };
}
