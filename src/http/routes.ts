import { plain, problem } from './answers.js';
import { isRefusal, type Authenticator, type Refusal } from './auth/authenticator.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { foreignPage, type GuardSettings } from './guards.js';

export interface RouteSettings {
  readonly guards: GuardSettings;
  readonly authenticator: Authenticator;
  /** The sessions of a principal. */
  readonly endpointOf: (principal: string) => Promise<Endpoint>;
  /** False while the service starts or shuts down. */
  readonly isReady: () => boolean;
}

export type Routes = (request: Request, exchange: Exchange) => Promise<Response>;

/** Every path of the service. */
export function createRoutes(settings: RouteSettings): Routes {
  const { guards, authenticator, endpointOf, isReady } = settings;
  const paths: Readonly<Record<string, Routes>> = {
    '/healthz': async () => plain(200, 'ok'),
    '/readyz': async () => (isReady() ? plain(200, 'ready') : plain(503, 'not ready')),
    async '/mcp'(request, exchange) {
      const found = await authenticator.authenticate(request);
      if (isRefusal(found)) return refusal(found);
      return (await endpointOf(found.principal)).fetch(request, found, exchange);
    },
  };
  return async (request, exchange) => {
    const refused = foreignPage(request, guards);
    if (refused !== undefined) return refused;
    const { pathname } = new URL(request.url);
    const route = Object.hasOwn(paths, pathname) ? paths[pathname] : undefined;
    return route === undefined ? plain(404, 'Not found.') : route(request, exchange);
  };
}

function refusal({ status, message, challenge }: Refusal): Response {
  return problem(status, -32_000, message, { 'www-authenticate': challenge });
}
