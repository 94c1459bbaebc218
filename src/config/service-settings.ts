import { integer, names, secureUrl, text, type Setting } from './setting.js';

/** Settings of `serve`. */
export const service = {
  host: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_HOST'],
    fallback: '127.0.0.1',
    doc: 'Address that the service listens on.',
  },
  port: {
    kind: integer(0, 65_535),
    env: ['CLAUDE_CODE_MCP_PORT'],
    fallback: 8_137,
    doc: 'Port that the service listens on. 0 means any free port.',
  },
  maxRequestsPerMinute: {
    kind: integer(1, 10_000_000),
    env: ['CLAUDE_CODE_MCP_MAX_REQUESTS_PER_MINUTE'],
    fallback: 12_000,
    doc: 'HTTP requests per minute that one principal may send.',
  },
  oauthIssuer: {
    kind: secureUrl,
    env: ['CLAUDE_CODE_MCP_OAUTH_ISSUER'],
    fallback: undefined,
    doc: 'Also accept access tokens (JWT) of this OAuth 2.1 issuer. Needs oauthAudience. Default: only named tokens.',
  },
  oauthAudience: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_OAUTH_AUDIENCE'],
    fallback: undefined,
    doc: 'The audience of OAuth tokens for this service: its address as clients see it, such as https://claude.example.com/mcp.',
  },
  oauthJwksUrl: {
    kind: secureUrl,
    env: ['CLAUDE_CODE_MCP_OAUTH_JWKS_URL'],
    fallback: undefined,
    doc: 'Address of the public keys of the issuer. Default: found through the metadata of the issuer.',
  },
  oauthPrincipalClaim: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_OAUTH_PRINCIPAL_CLAIM'],
    fallback: 'sub',
    doc: 'The claim of OAuth tokens that names the principal. Users must not be able to choose its value.',
  },
  oauthPrincipals: {
    kind: names,
    env: ['CLAUDE_CODE_MCP_OAUTH_PRINCIPALS'],
    fallback: [],
    doc: 'Principals by the value of that claim, such as auth0|17=alice. Only this list can name the principal owner. Default: the claim is the name of the principal.',
  },
  oauthScopes: {
    kind: names,
    env: ['CLAUDE_CODE_MCP_OAUTH_SCOPES'],
    fallback: [],
    doc: 'OAuth scopes that grant call, approve and admin, such as call=mcp:use. Default: scopes of the same names.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Defaults of `serve` that are stricter than those over stdin and stdout. */
export const serviceFallbacks = { approvals: 'human', history: 'off' } as const;
