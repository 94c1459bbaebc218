import type { Admission } from './admission.js';
import { plain, problem } from './answers.js';
import type { Identity } from './auth/identity.js';
import type { Leases } from './auth/leases.js';
import type { ProtectedResource } from './auth/protected-resource.js';
import { Rooms } from './body/room.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { foreignPage, type GuardSettings } from './guards.js';
import { leased } from './leased.js';
import { metricsRoute, type MetricsSource } from './metrics-route.js';
import type { Refusals } from './refusals.js';

export interface RouteSettings {
  readonly guards: GuardSettings;
  /** The page for people. Undefined: it is off. */
  readonly page?: PathRoutes | undefined;
  readonly admission: Admission;
  readonly refusals: Refusals;
  readonly leases: Leases;
  /** Undefined: OAuth is off. */
  readonly resource: ProtectedResource | undefined;
  /** The sessions of a principal. */
  readonly endpointOf: (principal: string) => Promise<Endpoint>;
  readonly metrics: MetricsSource;
  /** False while the service starts or shuts down. */
  readonly isReady: () => boolean;
}

export type Routes = (request: Request, exchange: Exchange) => Promise<Response>;

/** Undefined for paths that do not exist. */
export type PathRoutes = (pathname: string) => Routes | undefined;

export interface GuardedSettings {
  readonly guards: GuardSettings;
  readonly refusals: Refusals;
  /** Paths that links on other sites may lead to. */
  readonly visited: ReadonlySet<string>;
  /** Answers at every other path. */
  readonly notFound: Routes;
  /** Refuses a sender without a credential that asks too often. Undefined: it may continue. */
  readonly refuseAnonymous: (request: Request, exchange: Exchange) => Response | undefined;
}

/** Every path of the service. */
export function createRoutes(settings: RouteSettings): Routes {
  const { guards, page, admission, refusals, leases, resource, endpointOf, isReady } = settings;
  const unread = new Rooms();
  const serve = async (
    admitted: Identity | Response,
    request: Request,
    exchange: Exchange,
  ): Promise<Response> => {
    if (admitted instanceof Response) return admitted;
    // Running calls still get their answers.
    if (!isReady()) return shuttingDown();
    const endpoint = await endpointOf(admitted.principal);
    const response = await endpoint.fetch(request, admitted, {
      ...exchange,
      refuseEnded: () => admission.refuseEnded(request, exchange),
      note: (reason) => refusals.note(reason, request, exchange, admitted),
    });
    return leased(response, exchange, {
      hold: (end) => leases.hold(admitted, end),
      unread: unread.of(admitted.principal).share(),
    });
  };
  const open =
    (route: Routes): Routes =>
    async (request, exchange) =>
      admission.refuseAnonymous(request, exchange) ?? route(request, exchange);
  const health =
    (route: Routes): Routes =>
    async (request, exchange) =>
      admission.refuseHealthCheck(request, exchange) ?? route(request, exchange);
  const counted =
    (route: Routes): Routes =>
    async (request, exchange) => {
      let isKnown = false;
      const admitted = (): void => {
        isKnown = true;
        exchange.admitted?.();
      };
      const response = await route(request, { ...exchange, admitted });
      return isKnown ? response : (admission.refuseAnonymous(request, exchange) ?? response);
    };
  const paths: Readonly<Record<string, Routes>> = {
    '/healthz': health(readOnly(async () => plain(200, 'ok'))),
    '/readyz': health(readOnly(async () => (isReady() ? plain(200, 'ready') : plain(503, 'not ready')))),
    '/metrics': readOnly(async (request, exchange) => {
      const admitted = await admission.admit(request, exchange, 'admin');
      return admitted instanceof Response ? admitted : metricsRoute(settings.metrics);
    }),
    '/mcp': async (request, exchange) =>
      serve(await admission.admit(request, exchange, 'call'), request, exchange),
    ...metadataPaths(resource, open),
  };
  const routeOf = (pathname: string): Routes | undefined => {
    // People add a slash to the address.
    const path = pathname === '/mcp/' ? '/mcp' : pathname;
    if (Object.hasOwn(paths, path)) return paths[path];
    const principal = principalIn(pathname);
    if (principal !== undefined)
      return async (request, exchange) =>
        serve(await admission.admitFor(principal, request, exchange), request, exchange);
    const route = page?.(pathname);
    return route && counted(route);
  };
  const visited = new Set(page === undefined ? [] : ['/']);
  const notFound = open(async () => problem(404, -32_000, 'Not found. MCP clients connect to /mcp.'));
  return guarded(routeOf, {
    guards,
    refusals,
    visited,
    notFound,
    refuseAnonymous: (request, exchange) => admission.refuseAnonymous(request, exchange),
  });
}

/** Refuses requests from web pages of other origins before any route sees them. */
export function guarded(routeOf: PathRoutes, settings: GuardedSettings): Routes {
  const { guards, refusals, visited, notFound, refuseAnonymous } = settings;
  return async (request, exchange) => {
    const { pathname } = new URL(request.url);
    const refused = foreignPage(request, guards, { mayBeVisited: visited.has(pathname) });
    if (refused !== undefined) {
      const tooMany = refuseAnonymous(request, exchange);
      if (tooMany !== undefined) return tooMany;
      refusals.note(refused.status === 421 ? 'foreign_host' : 'foreign_page', request, exchange);
      return refused;
    }
    const route = routeOf(pathname) ?? notFound;
    return route(request, exchange);
  };
}

/** `/mcp/<principal>`. Names may contain characters that a URL encodes. */
function principalIn(pathname: string): string | undefined {
  const [, encoded] = /^\/mcp\/([^/]+)$/.exec(pathname) ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Open to everyone: a client reads it before it has a token. */
function metadataPaths(
  resource: ProtectedResource | undefined,
  open: (route: Routes) => Routes,
): Readonly<Record<string, Routes>> {
  if (resource === undefined) return {};
  const answer = readOnly(async (request) =>
    Response.json(resource.metadataFor(request), { headers: { 'cache-control': 'max-age=3600' } }),
  );
  return Object.fromEntries(resource.paths.map((path) => [path, open(answer)]));
}

function readOnly(route: Routes): Routes {
  return async (request, exchange) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? route(request, exchange)
      : problem(405, -32_000, 'Use GET.', { allow: 'GET, HEAD' });
}

function shuttingDown(): Response {
  return problem(503, -32_000, 'The service is shutting down. Repeat this request in a few seconds.', {
    'retry-after': '3',
  });
}
