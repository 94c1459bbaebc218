import type { AuthInfo } from '@modelcontextprotocol/server';

/** What a credential allows. call: use the tools. approve: answer requests. admin: act for every principal. */
export const scopes = ['call', 'approve', 'admin'] as const;

export type Scope = (typeof scopes)[number];

/** The sender of a request: on whose behalf it acts, and with which credential. */
export interface Identity {
  /** The owner of the sessions. */
  readonly principal: string;
  /** The name of the token, or the subject of an OAuth token. For logs and the audit log. */
  readonly credential: string;
  readonly scopes: readonly Scope[];
  /** In seconds since 1970. Undefined: until it is revoked. */
  readonly expiresAt?: number | undefined;
}

/** Passes the identity through the MCP SDK, which knows only OAuth. The token itself goes no further. */
export function toAuthInfo({ principal, credential, scopes: granted, expiresAt }: Identity): AuthInfo {
  return {
    token: '',
    clientId: principal,
    scopes: [...granted],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    extra: { credential },
  };
}
