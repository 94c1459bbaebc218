import { ConfigError } from '../../config/config-error.js';
import { owner } from '../../config/principals.js';
import type { Settings } from '../../config/settings.js';
import type { Clock } from '../../core/clock.js';
import type { Audit } from '../../core/observability/audit.js';
import type { Logger } from '../../core/observability/logger.js';
import { sparingLogger } from '../../core/observability/sparing-logger.js';
import type { Meter } from '../../core/observability/measurements.js';
import { createAdmission, type Admission, type AdmissionSettings } from '../../http/admission.js';
import { AnonymousLimit } from '../../http/auth/anonymous-limit.js';
import { bearerAuthenticator } from '../../http/auth/authenticator.js';
import { scopes } from '../../http/auth/identity.js';
import { issuerKeys } from '../../http/auth/issuer-keys.js';
import { LastUses } from '../../http/auth/last-uses.js';
import { Leases } from '../../http/auth/leases.js';
import { namedTokens } from '../../http/auth/named-tokens.js';
import { oauthTokens, type OAuthSettings } from '../../http/auth/oauth.js';
import { protectedResource, type ProtectedResource } from '../../http/auth/protected-resource.js';
import { failuresPerMinute, RateLimit } from '../../http/auth/rate-limit.js';
import { RunningLimit } from '../../http/auth/running-limit.js';
import { tokenUsesPath, type TokenFile } from '../../http/auth/token-file.js';
import { Refusals } from '../../http/refusals.js';

export interface LoginParts {
  readonly settings: Settings;
  readonly stateDir: string;
  readonly tokens: TokenFile;
  readonly isPrincipal: (name: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly meter: Meter;
}

export interface Login extends Pick<AdmissionSettings, 'requests' | 'running' | 'failures'> {
  readonly admission: Admission;
  readonly refusals: Refusals;
  readonly leases: Leases;
  readonly resource: ProtectedResource | undefined;
  close(): Promise<void>;
}

/** More than health checks of several load balancers need. */
const anonymousLimits = { perMinuteAndAddress: 600, perMinute: 6_000 } as const;

/** Authentication: named tokens always, and OAuth if it is configured. */
export function composeLogin(parts: LoginParts): Login {
  const { settings, stateDir, tokens, isPrincipal, clock } = parts;
  const logger = sparingLogger(parts.logger, clock);
  const oauth = oauthSettings(settings);
  const uses = new LastUses(tokenUsesPath(stateDir), clock);
  const authenticator = bearerAuthenticator([
    namedTokens({ file: tokens, uses, clock, logger }),
    ...(oauth === undefined ? [] : [oauthTokens(oauth, { keys: keysOf(oauth, parts), clock, logger })]),
  ]);
  const refusals = new Refusals(parts);
  const leases = new Leases({ authenticator, clock });
  const resource = oauth && protectedResource(oauth);
  const limits = {
    requests: new RateLimit({ perMinute: settings.maxRequestsPerMinute, clock }),
    running: new RunningLimit(settings.maxConnections),
    failures: new RateLimit({ perMinute: failuresPerMinute, clock }),
    anonymous: new AnonymousLimit({ ...anonymousLimits, clock }),
  };
  return {
    ...limits,
    admission: createAdmission({ authenticator, refusals, isPrincipal, resource, ...limits }),
    refusals,
    leases,
    resource,
    async close() {
      leases.close();
      refusals.flush();
      await uses.flush();
    },
  };
}

function keysOf({ issuer }: OAuthSettings, { settings, clock }: LoginParts) {
  return issuerKeys({ issuer, jwksUrl: settings.oauthJwksUrl, clock });
}

/** Undefined if OAuth is off. Throws a ConfigError if only a part of it is configured. */
export function oauthSettings(settings: Settings): OAuthSettings | undefined {
  const { oauthIssuer: issuer, oauthAudience: audience, oauthPrincipalClaim, oauthJwksUrl } = settings;
  const principals = pairsOf('oauthPrincipals', settings.oauthPrincipals);
  const named = pairsOf('oauthScopes', settings.oauthScopes);
  if (issuer === undefined) {
    const others = { oauthAudience: audience, oauthJwksUrl };
    const [set] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
    if (set === undefined && principals.size === 0 && named.size === 0) return undefined;
    throw new ConfigError(
      `${set ?? 'OAuth'}: has no effect without an issuer. Set CLAUDE_CODE_MCP_OAUTH_ISSUER.`,
    );
  }
  if (audience === undefined)
    throw new ConfigError(
      'oauthIssuer: needs an audience. Without one, the service would accept tokens for other services. Set CLAUDE_CODE_MCP_OAUTH_AUDIENCE to the address of this service.',
    );
  const unknown = [...named.keys()].find((name) => !scopes.some((scope) => scope === name));
  if (unknown !== undefined)
    throw new ConfigError(`oauthScopes: ${unknown} is not a scope. Scopes: ${scopes.join(', ')}.`);
  // An issuer may grant everyone what they request, so its `admin` has to be named.
  const scopeNames = { call: 'call', approve: 'approve', ...Object.fromEntries(named) };
  return {
    issuer,
    audience,
    principalClaim: oauthPrincipalClaim,
    principals,
    scopeNames,
    owner,
  };
}

/** `a=b` as a map. The last `=` separates, because claims may contain one. */
function pairsOf(key: string, pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw new ConfigError(`${key}=${pair}: must have the form name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
