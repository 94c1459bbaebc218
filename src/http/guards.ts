import { problem } from './answers.js';

/** The addresses of the service. */
export interface GuardSettings {
  /** As in a Host header, in lower case, with the port unless it is the default one. */
  readonly hosts: ReadonlySet<string>;
  /** As in an Origin header: scheme, host and port. */
  readonly origins: ReadonlySet<string>;
}

/** Accepts requests to these origins, and from pages of these origins. */
export function guardsFor(origins: readonly string[]): GuardSettings {
  return { hosts: new Set(origins.flatMap(hostsOf)), origins: new Set(origins) };
}

/**
 * Refuses requests that a web page sends without its user's knowledge. A page can reach loopback addresses, directly
 * or by pointing its own name there (DNS rebinding).
 */
export function foreignPage(
  request: Request,
  { hosts, origins }: GuardSettings,
  { mayBeVisited = false }: { readonly mayBeVisited?: boolean } = {},
): Response | undefined {
  if (!hosts.has((request.headers.get('host') ?? '').toLowerCase()))
    return problem(
      421,
      -32_000,
      'This service does not answer to this host name. Ask the operator to set --public-url to the address that clients use.',
    );
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isForeign = origin !== null && !origins.has(origin);
  const isOtherSite = site !== null && site !== 'same-origin' && site !== 'none';
  if (isForeign || (isOtherSite && !(mayBeVisited && isVisit(request))))
    return problem(403, -32_000, 'Requests from web pages of other origins are not allowed.');
  return undefined;
}

/** A person follows a link. The other page learns nothing, not even whether there is an answer. */
function isVisit({ method, headers }: Request): boolean {
  return (
    method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document'
  );
}

/** Clients may leave out the default port, or name it. */
function hostsOf(origin: string): readonly string[] {
  const { host, hostname, port, protocol } = new URL(origin);
  return [host, `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`];
}
