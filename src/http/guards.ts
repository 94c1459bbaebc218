import { plain } from './answers.js';

/** Names under which the service may be addressed, without ports. */
export interface GuardSettings {
  readonly hosts: ReadonlySet<string>;
}

/**
 * Refuses requests that a web page sends without its user's knowledge. A page can reach loopback addresses, directly
 * or by pointing its own name there (DNS rebinding).
 */
export function foreignPage(request: Request, { hosts }: GuardSettings): Response | undefined {
  if (!hosts.has(hostnameOf(`http://${request.headers.get('host') ?? ''}`)))
    return plain(421, 'This host name is not configured for this service.');
  const origin = request.headers.get('origin');
  if (origin !== null && !hosts.has(hostnameOf(origin)))
    return plain(403, 'Requests from other web pages are not allowed.');
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return plain(403, 'Requests from other web pages are not allowed.');
  return undefined;
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
