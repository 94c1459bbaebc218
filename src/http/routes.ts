import { plain, problem } from './answers.js';
import { isRefusal, type Authenticator, type Refusal } from './auth/authenticator.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { foreignPage, type GuardSettings } from './guards.js';
import { metricsRoute, type MetricsSource } from './metrics-route.js';

export interface RouteSettings {
  readonly guards: GuardSettings;
  readonly authenticator: Authenticator;
  /** The sessions of a principal. */
  readonly endpointOf: (principal: string) => Promise<Endpoint>;
  readonly metrics: MetricsSource;
  /** False while the service starts or shuts down. */
  readonly isReady: () => boolean;
}

export type Routes = (request: Request, exchange: Exchange) => Promise<Response>;

/** Every path of the service. */
export function createRoutes(settings: RouteSettings): Routes {
  const { guards, authenticator, endpointOf, isReady } = settings;
  const paths: Readonly<Record<string, Routes>> = {
    '/healthz': readOnly(async () => plain(200, 'ok')),
    '/readyz': readOnly(async () => (isReady() ? plain(200, 'ready') : plain(503, 'not ready'))),
    '/metrics': readOnly(async (request) => {
      const found = await authenticator.authenticate(request);
      return isRefusal(found) ? refusal(found) : metricsRoute(found, settings.metrics);
    }),
    async '/mcp'(request, exchange) {
      const found = await authenticator.authenticate(request);
      if (isRefusal(found)) return refusal(found);
      // Running calls still get their answers.
      if (!isReady()) return shuttingDown();
      return (await endpointOf(found.principal)).fetch(request, found, exchange);
    },
  };
  return async (request, exchange) => {
    const refused = foreignPage(request, guards);
    if (refused !== undefined) return refused;
    const { pathname } = new URL(request.url);
    const route = Object.hasOwn(paths, pathname) ? paths[pathname] : undefined;
    return route === undefined
      ? problem(404, -32_000, 'Not found. MCP clients connect to /mcp.')
      : route(request, exchange);
  };
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

function refusal({ status, message, challenge }: Refusal): Response {
  return problem(status, -32_000, message, { 'www-authenticate': challenge });
}
