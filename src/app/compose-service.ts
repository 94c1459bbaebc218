import { homedir } from 'node:os';
import { systemClock } from '../core/clock.js';
import { stateDirOf } from '../config/settings.js';
import { tokenAuthenticator } from '../http/auth/bearer.js';
import { TokenFile } from '../http/auth/token-file.js';
import { createEndpoint } from '../http/endpoint.js';
import { createRoutes } from '../http/routes.js';
import { prepareStateFolder } from '../state/state-folder.js';
import { createApp, type AppConfig } from './app.js';
import { openDoor } from './compose-listener.js';
import { composeServiceMetrics } from './compose-service-metrics.js';

export interface Service {
  /** Where MCP clients connect. */
  readonly url: string;
  /** The token of the first start. It is shown once. */
  readonly token: string | undefined;
  close(): Promise<void>;
}

/** The principal of a service that one person uses. */
const owner = 'owner';

const maxBodyBytes = 4 * 1_048_576;
const legacyIdleMs = 1_800_000;
const maxLegacySessions = 1_000;
/** Time to send the last answers. Streams without an answer, such as subscriptions, use all of it. */
const settleMs = 300;

/** Composes the service: the same server as over stdin and stdout, behind HTTP. */
export async function createService(config: AppConfig): Promise<Service> {
  const { settings, logger, environment } = config;
  const stateDir = stateDirOf(settings, environment, homedir());
  prepareStateFolder(stateDir);
  // First, because it fails most often: nothing has to be undone then.
  const { listener, origin, guards } = await openDoor(settings, logger);
  const metrics = await composeServiceMetrics(config);
  const tokens = new TokenFile(stateDir);
  const isFirst = (await tokens.list()).length === 0;
  const app = await createApp(config, { meter: metrics.meter() });
  const endpoint = createEndpoint({
    factory: app.factory,
    clock: systemClock,
    logger,
    maxBodyBytes,
    keepAliveMs: settings.keepAliveMs,
    legacyIdleMs,
    maxLegacySessions,
  });
  app.updates.listen((uri) => endpoint.notify.resourceUpdated(uri));
  let isReady = true;
  const routes = createRoutes({
    guards,
    authenticator: tokenAuthenticator(tokens),
    endpointOf: async () => endpoint,
    metrics: metrics.page,
    isReady: () => isReady,
  });
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
    async close() {
      isReady = false;
      // The end of a session is the answer of the calls that wait for it.
      await app.close();
      await listener.settled(settleMs);
      await endpoint.close();
      await Promise.allSettled([listener.close(), metrics.close()]);
    },
  };
}
