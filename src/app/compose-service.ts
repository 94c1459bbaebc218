import { stateDirOf } from '../config/settings.js';
import { owner, type Principals } from '../config/principals.js';
import { tokenAuthenticator } from '../http/auth/bearer.js';
import { TokenFile } from '../http/auth/token-file.js';
import { listen } from '../http/listener.js';
import { createRoutes, type Routes } from '../http/routes.js';
import { createMetrics, type AppConfig, type Replacements } from './app.js';
import { noMeter, type Meter } from '../core/observability/measurements.js';
import type { SessionStatus } from '../core/session/session-state.js';
import { Tenants } from './tenants.js';

export interface Service {
  /** Where MCP clients connect. */
  readonly url: string;
  /** The token of the first start. It is shown once. */
  readonly token: string | undefined;
  /** Everyone who has sessions of their own. */
  readonly principals: readonly string[];
  close(): Promise<void>;
}

/** The service without its port. */
export interface ServiceParts {
  readonly routes: Routes;
  readonly tokens: TokenFile;
  readonly tenants: Tenants;
  readonly close: () => Promise<void>;
}

const maxBodyBytes = 4 * 1_048_576;
const legacyIdleMs = 1_800_000;
const maxLegacySessions = 1_000;

/** Composes the service: the same server as over stdin and stdout, behind HTTP, for one or several principals. */
export function composeService(
  config: AppConfig,
  principals: Principals | undefined,
  replacements?: Replacements,
): ServiceParts {
  const { settings, environment, home } = config;
  const metrics = createMetrics(config);
  const meter = metrics === undefined ? noMeter : sharedMeter(metrics);
  metrics?.open();
  const tenants = new Tenants({
    config,
    meter: () => meter,
    principals,
    endpoint: { maxBodyBytes, legacyIdleMs, maxLegacySessions },
    replacements,
  });
  const tokens = new TokenFile(stateDirOf(settings, environment, home));
  let isReady = true;
  const routes = createRoutes({
    guards: { hosts: new Set(['localhost', '127.0.0.1', '[::1]']) },
    authenticator: tokenAuthenticator(tokens),
    endpointOf: (principal) => tenants.endpointOf(principal),
    isReady: () => isReady,
  });
  return {
    routes,
    tokens,
    tenants,
    async close() {
      isReady = false;
      await tenants.endSessions();
      await tenants.disconnect();
      await config.audit?.close();
      await metrics?.close();
    },
  };
}

/** Opens the port. */
export async function createService(config: AppConfig, principals: Principals | undefined): Promise<Service> {
  const { settings, logger } = config;
  const { routes, tokens, tenants, close } = composeService(config, principals);
  const { host, port } = settings;
  const isFirst = (await tokens.list()).length === 0;
  const listener = await listen({ host, port, maxBodyBytes, routes, logger });
  return {
    url: `${listener.url}/mcp`,
    principals: tenants.names,
    token: isFirst
      ? await tokens.create({
          name: 'first',
          principal: owner,
          scopes: ['call', 'approve', 'admin'],
          now: Date.now(),
        })
      : undefined,
    async close() {
      await Promise.allSettled([listener.close(), close()]);
    },
  };
}

/** Adds up the sessions of all principals. */
function sharedMeter(meter: Meter): Meter {
  const sources: (() => readonly SessionStatus[])[] = [];
  meter.watchSessions(() => sources.flatMap((statuses) => statuses()));
  return {
    measure: (measurement) => meter.measure(measurement),
    watchSessions: (statuses) => void sources.push(statuses),
  };
}
