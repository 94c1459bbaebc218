import type { Scope, ScopeNames } from './identity.js';

export interface ResourceSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly scopeNames: ScopeNames;
}

/** How clients find the issuer of tokens for this service (RFC 9728). */
export interface ProtectedResource {
  /** The paths at which the metadata is served. */
  readonly paths: readonly string[];
  /** The address of the metadata. */
  urlFor(request: Request): string;
  metadataFor(request: Request): object;
  /** The name of a scope at the issuer. Undefined: its tokens never have it. */
  scopeName(scope: Scope): string | undefined;
}

/** Clients request what is offered, and issuers may grant it to everyone. */
const offered: readonly Scope[] = ['call', 'approve'];

const wellKnown = '/.well-known/oauth-protected-resource';

export function protectedResource({ issuer, audience, scopeNames }: ResourceSettings): ProtectedResource {
  // An audience that is an address names this service as clients reach it, even behind a proxy.
  const isAddress = /^https?:/.test(audience) && URL.canParse(audience);
  const resourceOf = ({ url }: Request): URL => (isAddress ? new URL(audience) : new URL('/mcp', url));
  return {
    paths: [wellKnown, `${wellKnown}/mcp`, ...(isAddress ? [pathOf(new URL(audience))] : [])],
    urlFor(request) {
      const resource = resourceOf(request);
      return `${resource.origin}${pathOf(resource)}`;
    },
    metadataFor: (request) => ({
      resource: isAddress ? audience : resourceOf(request).href,
      authorization_servers: [issuer],
      scopes_supported: offered.flatMap((scope) => scopeNames[scope] ?? []),
      bearer_methods_supported: ['header'],
      resource_name: 'claude-code-mcp',
    }),
    scopeName: (scope) => scopeNames[scope],
  };
}

function pathOf({ pathname }: URL): string {
  return `${wellKnown}${pathname.replace(/\/$/, '')}`;
}
