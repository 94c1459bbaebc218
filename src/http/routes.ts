import type { Admission } from './admission.js';
import { plain } from './answers.js';
import type { Identity } from './auth/identity.js';
import type { Leases } from './auth/leases.js';
import type { ProtectedResource } from './auth/protected-resource.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { foreignPage, type GuardSettings } from './guards.js';
import { leased } from './leased.js';
import type { Refusals } from './refusals.js';

export interface RouteSettings {
  readonly guards: GuardSettings;
  readonly admission: Admission;
  readonly refusals: Refusals;
  readonly leases: Leases;
  /** Undefined: OAuth is off. */
  readonly resource: ProtectedResource | undefined;
  /** The sessions of a principal. */
  readonly endpointOf: (principal: string) => Promise<Endpoint>;
  /** False while the service starts or shuts down. */
  readonly isReady: () => boolean;
}

export type Routes = (request: Request, exchange: Exchange) => Promise<Response>;

/** Every path of the service. */
export function createRoutes(settings: RouteSettings): Routes {
  const { guards, admission, refusals, leases, resource, endpointOf, isReady } = settings;
  const serve = async (
    admitted: Identity | Response,
    request: Request,
    exchange: Exchange,
  ): Promise<Response> => {
    if (admitted instanceof Response) return admitted;
    const response = await (await endpointOf(admitted.principal)).fetch(request, admitted, exchange);
    return leased(response, exchange, (end) => leases.hold(admitted, end));
  };
  const paths: Readonly<Record<string, Routes>> = {
    '/healthz': async () => plain(200, 'ok'),
    '/readyz': async () => (isReady() ? plain(200, 'ready') : plain(503, 'not ready')),
    '/mcp': async (request, exchange) =>
      serve(await admission.admit(request, exchange, 'call'), request, exchange),
    ...metadataPaths(resource),
  };
  const routeOf = (pathname: string): Routes | undefined => {
    if (Object.hasOwn(paths, pathname)) return paths[pathname];
    const [, principal] = /^\/mcp\/([\w.-]+)$/.exec(pathname) ?? [];
    return principal === undefined
      ? undefined
      : async (request, exchange) =>
          serve(await admission.admitFor(principal, request, exchange), request, exchange);
  };
  return async (request, exchange) => {
    const refused = foreignPage(request, guards);
    if (refused !== undefined) {
      refusals.note(refused.status === 421 ? 'foreign_host' : 'foreign_page', request, exchange);
      return refused;
    }
    const route = routeOf(new URL(request.url).pathname);
    return route === undefined ? plain(404, 'Not found.') : route(request, exchange);
  };
}

/** Open to everyone: a client reads it before it has a token. */
function metadataPaths(resource: ProtectedResource | undefined): Readonly<Record<string, Routes>> {
  if (resource === undefined) return {};
  const answer: Routes = async (request) =>
    Response.json(resource.metadataFor(request), { headers: { 'cache-control': 'max-age=3600' } });
  return Object.fromEntries(resource.paths.map((path) => [path, answer]));
}
