import { scopes, type Scope } from './identity.js';

export interface ResourceSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly scopeNames: Readonly<Record<Scope, string>>;
}

/** How clients find the issuer of tokens for this service (RFC 9728). */
export interface ProtectedResource {
  /** The paths at which the metadata is served. */
  readonly paths: readonly string[];
  /** The address of the metadata. */
  urlFor(request: Request): string;
  metadataFor(request: Request): object;
  /** The name of a scope at the issuer. */
  scopeName(scope: Scope): string;
}

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
      scopes_supported: scopes.map((scope) => scopeNames[scope]),
      bearer_methods_supported: ['header'],
      resource_name: 'claude-code-mcp',
    }),
    scopeName: (scope) => scopeNames[scope],
  };
}

function pathOf({ pathname }: URL): string {
  return `${wellKnown}${pathname.replace(/\/$/, '')}`;
}
