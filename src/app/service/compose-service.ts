import { owner, type Principals } from '../../config/principals.js';
import { systemClock } from '../../core/clock.js';
import { auditTo } from '../../core/observability/audit.js';
import { FairTurns } from '../../http/auth/fair-turns.js';
import type { TokenFile } from '../../http/auth/token-file.js';
import { guardsFor, type GuardSettings } from '../../http/guards.js';
import { createRoutes, type Routes } from '../../http/routes.js';
import { createLogAudit } from '../../observability/audit/log-audit.js';
import type { AppConfig, Replacements } from '../app.js';
import { composePage } from '../page/compose-page.js';
import { linkIn } from '../page/late-page.js';
import { servedPage, type ServedPage } from '../page/served-page.js';
import { openDoor } from './compose-listener.js';
import { composeLogin, oauthSettings } from './compose-login.js';
import { composeServiceMetrics, type ServiceMetrics } from './compose-service-metrics.js';
import { preparedStateDir, usable } from '../state/prepared-state-dir.js';
import { composeTokens } from './compose-tokens.js';
import { secureUsers } from './secure-users.js';
import { openPrivateDoor } from './private-door.js';
import { runningService, servicePresence } from './service-presence.js';
import { planTenants, type TenantPlans } from './tenant-plans.js';
import { Tenants } from './tenants.js';

export interface Service {
  /** Where MCP clients connect. */
  readonly url: string;
  /** Where people watch sessions. Undefined: the page is off. */
  readonly page: string | undefined;
  /** The token of the first start. It is shown once. */
  readonly token: string | undefined;
  /** Facts that the operator must know, one sentence each. */
  readonly notes: readonly string[];
  /** Resolves when the service has not been used for the time of `--idle-exit`. */
  readonly idle: Promise<void>;
  close(): Promise<void>;
}

/** The service without its port. */
export interface ServiceParts {
  readonly routes: Routes;
  readonly tokens: TokenFile;
  /** Whether a session has a live process. */
  readonly isBusy: () => boolean;
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
export async function createService(
  config: AppConfig,
  {
    principals,
    idleMs,
  }: { readonly principals: Principals | undefined; readonly idleMs?: number | undefined },
): Promise<Service> {
  // First, because these fail most often: nothing has to be undone then.
  const plans = planTenants(config, principals);
  await secureUsers(config, plans, principals);
  const { settings, environment, home } = config;
  const isOauth = oauthSettings(settings) !== undefined;
  const tokens = composeTokens(preparedStateDir(settings, environment, home));
  await usable(tokens.list());
  const page = await servedPage(config);
  const {
    listener,
    origin,
    guards: publicGuards,
  } = await openDoor(settings, config.logger, () => runningService(config));
  const privateDoor = await openPrivateDoor(settings, config.logger);
  config.redactor.learn([privateDoor.address.key]);
  const guards = guardsFor([...publicGuards.origins, privateDoor.listener.origin]);
  const listeners = [listener, privateDoor.listener];
  const metrics = await composeServiceMetrics(config);
  const withLinks =
    page === undefined ? config : { ...config, page: { linkTo: (id: string) => linkIn(origin, id) } };
  const { routes, isBusy, endSessions, disconnect } = composeService(withLinks, {
    plans,
    guards,
    metrics,
    page,
  });
  const presence = servicePresence(config, { idleMs, isBusy });
  const close = async (): Promise<void> => {
    // The end of a session is the answer of the calls that wait for it.
    await endSessions();
    await Promise.all(listeners.map((one) => one.settled(settleMs)));
    await disconnect();
    await Promise.allSettled([
      ...listeners.map((one) => one.close()),
      metrics.close(),
      config.audit?.close(),
    ]);
    await page?.devices.addresses.withdraw().catch(() => undefined);
    // Last, because the next service may need the same port.
    await presence.end();
  };
  try {
    // After the port is open: a token that is created but never shown is lost.
    const token = isOauth ? undefined : await firstToken(tokens, config);
    const watched = presence.watch(routes);
    for (const one of listeners) one.serve(watched);
    await presence.announce(`${origin}/mcp`, privateDoor.address);
    await page?.announce(origin);
    return {
      url: `${origin}/mcp`,
      page: page && `${origin}/`,
      token,
      notes: notesOn(plans),
      idle: presence.idle,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function firstToken(tokens: TokenFile, { redactor }: AppConfig): Promise<string | undefined> {
  const scopes = ['call', 'approve', 'admin'] as const;
  const token = await usable(
    tokens.createFirst({ name: 'first', principal: owner, scopes, now: Date.now() }),
  );
  redactor.learn(token === undefined ? [] : [token]);
  return token;
}

/** Everything of the service except its port. */
export function composeService(
  config: AppConfig,
  parts: {
    readonly plans: TenantPlans;
    readonly guards: GuardSettings;
    readonly metrics: ServiceMetrics;
    readonly page?: ServedPage | undefined;
    readonly replacements?: Replacements;
  },
): ServiceParts {
  const { plans, guards, metrics, replacements } = parts;
  const { settings, environment, home, logger, version } = config;
  const clock = replacements?.clock ?? systemClock;
  const stateDir = preparedStateDir(settings, environment, home);
  const tokens = composeTokens(stateDir);
  const files = config.audit === undefined ? [] : [config.audit];
  const isPrincipal = (name: string): boolean => plans.has(name);
  const login = composeLogin({
    settings,
    stateDir,
    tokens,
    isPrincipal,
    clock,
    logger,
    audit: auditTo([...files, createLogAudit(logger)]),
    meter: metrics.meter(),
  });
  const turns = new FairTurns();
  const tenants = new Tenants({
    config,
    plans,
    endpoint: {
      leases: login.leases,
      turns,
      maxBodyBytes,
      keepAliveMs: settings.keepAliveMs,
      legacyIdleMs,
      maxLegacySessions,
      maxConnections: settings.maxConnections,
    },
    meter: () => metrics.meter(),
    replacements,
  });
  let isReady = true;
  const page =
    parts.page &&
    composePage({
      ...login,
      ...parts.page,
      turns,
      version,
      guards,
      isPrincipal,
      deskOf: (principal) => tenants.deskOf(principal),
      isReady: () => isReady,
      clock,
      logger,
    });
  return {
    tokens,
    isBusy: () => tenants.isBusy,
    routes: createRoutes({
      guards,
      ...login,
      page: page?.routes,
      endpointOf: (principal) => tenants.endpointOf(principal),
      metrics: metrics.page,
      isReady: () => isReady,
    }),
    endSessions() {
      isReady = false;
      return tenants.endSessions();
    },
    async disconnect() {
      await tenants.disconnect();
      await page?.close();
      await login.close();
    },
  };
}

function notesOn(plans: TenantPlans): readonly string[] {
  const sharing = [...plans.values()].filter(({ user }) => user === undefined);
  if (plans.size === 1 || sharing.length === 0) return [];
  const names = sharing.map(({ principal }) => principal).join(', ');
  return [
    sharing.length === plans.size
      ? `${plans.size} principals (${names}) are separated at the API only: their sessions run as the same system user.`
      : `Sessions of ${names} run as the user of the service, and can read the files of all ${plans.size} principals.`,
  ];
}
