import { homedir } from 'node:os';
import { systemClock } from '../core/clock.js';
import { createEndpoint } from '../http/endpoint.js';
import { createRoutes } from '../http/routes.js';
import { auditTo } from '../core/observability/audit.js';
import { ConfigError } from '../config/config-error.js';
import { TokenFileError, type TokenFile } from '../http/auth/token-file.js';
import { createLogAudit } from '../observability/audit/log-audit.js';
import { createApp, type AppConfig } from './app.js';
import { openDoor } from './compose-listener.js';
import { composeLogin, oauthSettings } from './compose-login.js';
import { composeServiceMetrics } from './compose-service-metrics.js';
import { composeTokens, owner, preparedStateDir, principalsOf } from './compose-tokens.js';

export interface Service {
  /** Where MCP clients connect. */
  readonly url: string;
  /** The token of the first start. It is shown once. */
  readonly token: string | undefined;
  close(): Promise<void>;
}

const maxBodyBytes = 4 * 1_048_576;
const legacyIdleMs = 1_800_000;
const maxLegacySessions = 1_000;
/** Time to send the last answers. Streams without an answer, such as subscriptions, use all of it. */
const settleMs = 300;

/** Composes the service: the same server as over stdin and stdout, behind HTTP. */
export async function createService(config: AppConfig): Promise<Service> {
  const { settings, logger, environment } = config;
  const stateDir = preparedStateDir(settings, environment, homedir());
  const tokens = composeTokens(stateDir);
  const principals = new Set(principalsOf(settings));
  const isOauth = oauthSettings(settings) !== undefined;
  await usable(tokens.list());
  // First, because it fails most often: nothing has to be undone then.
  const { listener, origin, guards } = await openDoor(settings, logger);
  const metrics = await composeServiceMetrics(config);
  const app = await createApp(config, { meter: metrics.meter() });
  const files = config.audit === undefined ? [] : [config.audit];
  const login = composeLogin({
    settings,
    stateDir,
    tokens,
    isPrincipal: (name) => principals.has(name),
    clock: systemClock,
    logger,
    audit: auditTo([...files, createLogAudit(logger)]),
    meter: metrics.meter(),
  });
  const endpoint = createEndpoint({
    factory: app.factory,
    clock: systemClock,
    logger,
    leases: login.leases,
    maxBodyBytes,
    keepAliveMs: settings.keepAliveMs,
    legacyIdleMs,
    maxLegacySessions,
  });
  app.updates.listen((uri) => endpoint.notify.resourceUpdated(uri));
  let isReady = true;
  const routes = createRoutes({
    guards,
    ...login,
    endpointOf: async () => endpoint,
    metrics: metrics.page,
    isReady: () => isReady,
  });
  // After the port is open: a token that is created but never shown is lost.
  const token = isOauth ? undefined : await firstToken(tokens, config);
  listener.serve(routes);
  return {
    url: `${origin}/mcp`,
    token,
    async close() {
      isReady = false;
      // Before the audit log is closed.
      await login.close();
      // The end of a session is the answer of the calls that wait for it.
      await app.close();
      await listener.settled(settleMs);
      await endpoint.close();
      await Promise.allSettled([listener.close(), metrics.close()]);
    },
  };
}

async function firstToken(tokens: TokenFile, { redactor }: AppConfig): Promise<string | undefined> {
  const scopes = ['call', 'approve', 'admin'] as const;
  const token = await usable(
    tokens.createFirst({ name: 'first', principal: owner, scopes, now: Date.now() }),
  );
  redactor.learn(token === undefined ? [] : [token]);
  return token;
}

/** A service without usable tokens does not start. */
function usable<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw error instanceof TokenFileError ? new ConfigError(error.message) : error;
  });
}
