import { stateDirOf } from '../config/settings.js';
import { owner, type Principals } from '../config/principals.js';
import { tokenAuthenticator } from '../http/auth/bearer.js';
import { TokenFile } from '../http/auth/token-file.js';
import type { GuardSettings } from '../http/guards.js';
import { createRoutes, type Routes } from '../http/routes.js';
import type { AppConfig, Replacements } from './app.js';
import { openDoor } from './compose-listener.js';
import { composeServiceMetrics, type ServiceMetrics } from './compose-service-metrics.js';
import { planTenants, type TenantPlans } from './tenant-plans.js';
import { Tenants } from './tenants.js';

export interface Service {
  /** Where MCP clients connect. */
  readonly url: string;
  /** The token of the first start. It is shown once. */
  readonly token: string | undefined;
  /** Facts that the operator must know, one sentence each. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** The service without its port. */
export interface ServiceParts {
  readonly routes: Routes;
  readonly tokens: TokenFile;
  /** Ends the sessions. From now on, the service refuses calls. */
  readonly endSessions: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
}

const maxBodyBytes = 4 * 1_048_576;
const legacyIdleMs = 1_800_000;
const maxLegacySessions = 1_000;
/** Time to send the last answers. Streams without an answer, such as subscriptions, use all of it. */
const settleMs = 300;

/** Composes the service: the same server as over stdin and stdout, behind HTTP. */
export async function createService(config: AppConfig, principals: Principals | undefined): Promise<Service> {
  // First, because these fail most often: nothing has to be undone then.
  const plans = planTenants(config, principals);
  const { listener, origin, guards } = await openDoor(config.settings, config.logger);
  const metrics = await composeServiceMetrics(config);
  const { routes, tokens, endSessions, disconnect } = composeService(config, { plans, guards, metrics });
  const isFirst = (await tokens.list()).length === 0;
  const token = isFirst
    ? await tokens.create({
        name: 'first',
        principal: owner,
        scopes: ['call', 'approve', 'admin'],
        now: Date.now(),
      })
    : undefined;
  listener.serve(routes);
  return {
    url: `${origin}/mcp`,
    token,
    notes: notesOn(plans),
    async close() {
      // The end of a session is the answer of the calls that wait for it.
      await endSessions();
      await listener.settled(settleMs);
      await disconnect();
      await Promise.allSettled([listener.close(), metrics.close(), config.audit?.close()]);
    },
  };
}

/** Everything of the service except its port. */
export function composeService(
  config: AppConfig,
  parts: {
    readonly plans: TenantPlans;
    readonly guards: GuardSettings;
    readonly metrics: ServiceMetrics;
    readonly replacements?: Replacements;
  },
): ServiceParts {
  const { plans, guards, metrics, replacements } = parts;
  const { settings, environment, home } = config;
  const tenants = new Tenants({
    config,
    plans,
    endpoint: { maxBodyBytes, keepAliveMs: settings.keepAliveMs, legacyIdleMs, maxLegacySessions },
    meter: () => metrics.meter(),
    replacements,
  });
  const tokens = new TokenFile(stateDirOf(settings, environment, home));
  let isReady = true;
  return {
    tokens,
    routes: createRoutes({
      guards,
      authenticator: tokenAuthenticator(tokens),
      endpointOf: (principal) => tenants.endpointOf(principal),
      metrics: metrics.page,
      isReady: () => isReady,
    }),
    endSessions() {
      isReady = false;
      return tenants.endSessions();
    },
    disconnect: () => tenants.disconnect(),
  };
}

function notesOn(plans: TenantPlans): readonly string[] {
  return plans.size === 1
    ? []
    : [
        `${plans.size} principals (${[...plans.keys()].join(', ')}) are separated at the API only: their sessions run as the same user of the system.`,
      ];
}
