import {
  integer,
  names,
  onOff,
  path,
  publicUrl,
  secureUrl,
  text,
  variableNames,
  webAddress,
  type Setting,
} from './setting.js';

/** Settings of the page for people. */
export const page = {
  web: {
    kind: webAddress,
    env: ['CLAUDE_CODE_MCP_WEB'],
    fallback: undefined,
    doc: 'Loopback address of the page on which a person watches sessions and answers requests, such as 127.0.0.1:0. Open it with "claude-code-mcp open". With serve, the page is at the address of the service, unless this is off. See docs/page.md. Default: off; on with serve.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

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
  tlsCert: {
    kind: path,
    env: ['CLAUDE_CODE_MCP_TLS_CERT'],
    fallback: undefined,
    doc: 'File with the TLS certificate in PEM format, followed by its intermediate certificates. Requires CLAUDE_CODE_MCP_TLS_KEY. The service notices when the file is renewed.',
  },
  tlsKey: {
    kind: path,
    env: ['CLAUDE_CODE_MCP_TLS_KEY'],
    fallback: undefined,
    doc: 'File with the private key of the TLS certificate, in PEM format.',
  },
  behindProxy: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_BEHIND_PROXY'],
    fallback: false,
    doc: 'Set this if clients reach the service only through a reverse proxy with TLS. The service then trusts the last address in X-Forwarded-For.',
  },
  publicUrl: {
    kind: publicUrl,
    env: ['CLAUDE_CODE_MCP_PUBLIC_URL'],
    fallback: undefined,
    doc: 'Address that clients use, such as https://agents.example.com, if it differs from the host and port.',
  },
  keepAliveMs: {
    kind: integer(100, 300_000),
    env: ['CLAUDE_CODE_MCP_KEEP_ALIVE_MS'],
    fallback: 15_000,
    doc: 'While a call waits, the service sends a comment at this interval, in milliseconds, so that clients and proxies keep the connection open.',
  },
  maxConnections: {
    kind: integer(10, 100_000),
    env: ['CLAUDE_CODE_MCP_MAX_CONNECTIONS'],
    fallback: 1_000,
    doc: 'Maximum number of open connections. At the limit, the oldest idle connection is closed to make room for a new client.',
  },
  maxRequestsPerMinute: {
    kind: integer(1, 10_000_000),
    env: ['CLAUDE_CODE_MCP_MAX_REQUESTS_PER_MINUTE'],
    fallback: 60_000,
    doc: 'Maximum number of HTTP requests per minute from one principal.',
  },
  oauthIssuer: {
    kind: secureUrl,
    env: ['CLAUDE_CODE_MCP_OAUTH_ISSUER'],
    fallback: undefined,
    doc: 'Also accept access tokens (JWT) of this OAuth 2.1 issuer. Requires CLAUDE_CODE_MCP_OAUTH_AUDIENCE. Default: only tokens of the service are accepted.',
  },
  oauthAudience: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_OAUTH_AUDIENCE'],
    fallback: undefined,
    doc: 'Audience of OAuth tokens for this service: the address that clients use, such as https://agents.example.com/mcp.',
  },
  oauthJwksUrl: {
    kind: secureUrl,
    env: ['CLAUDE_CODE_MCP_OAUTH_JWKS_URL'],
    fallback: undefined,
    doc: 'Address of the public keys of the issuer. Default: the address in the metadata of the issuer.',
  },
  oauthPrincipalClaim: {
    kind: text,
    env: ['CLAUDE_CODE_MCP_OAUTH_PRINCIPAL_CLAIM'],
    fallback: 'sub',
    doc: 'Claim of OAuth tokens that names the principal. Users must not be able to choose its value.',
  },
  oauthPrincipals: {
    kind: names,
    env: ['CLAUDE_CODE_MCP_OAUTH_PRINCIPALS'],
    fallback: [],
    doc: 'Maps values of the claim to principals, such as auth0|17=alice. Only this list can map a user to owner. Default: the value of the claim is the name of the principal.',
  },
  oauthScopes: {
    kind: names,
    env: ['CLAUDE_CODE_MCP_OAUTH_SCOPES'],
    fallback: [],
    doc: 'Maps call, approve and admin to scopes of the issuer, such as call=mcp:use. Default: the issuer uses the same names for call and approve, and grants no admin.',
  },
  passEnv: {
    kind: variableNames,
    env: ['CLAUDE_CODE_MCP_PASS_ENV'],
    fallback: [],
    doc: 'Environment variables that sessions of the service inherit in addition to the standard ones, separated by commas. AWS_* stands for all names that begin with AWS_.',
  },
  acceptSharedUid: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_ACCEPT_SHARED_UID'],
    fallback: false,
    doc: 'Serve several principals even if some of them have no separate system user (runAs). Their sessions run as the user of the service, so their approved commands can read the files of every principal.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Defaults of `serve` that are stricter than those over stdin and stdout. */
export const serviceFallbacks = { approvals: 'human', history: 'off' } as const;
