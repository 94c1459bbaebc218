import { homedir } from 'node:os';
import { systemClock } from '../core/clock.js';
import { stateDirOf } from '../config/settings.js';
import { tokenAuthenticator } from '../http/auth/bearer.js';
import { TokenFile } from '../http/auth/token-file.js';
import { createEndpoint } from '../http/endpoint.js';
import { listen } from '../http/listener.js';
import { createRoutes } from '../http/routes.js';
import { prepareStateFolder } from '../state/state-folder.js';
import { createApp, type AppConfig } from './app.js';

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

/** Composes the service: the same server as over stdin and stdout, behind HTTP. */
export async function createService(config: AppConfig): Promise<Service> {
  const { settings, logger, environment } = config;
  const stateDir = stateDirOf(settings, environment, homedir());
  prepareStateFolder(stateDir);
  const tokens = new TokenFile(stateDir);
  const isFirst = (await tokens.list()).length === 0;
  const app = await createApp(config);
  const endpoint = createEndpoint({
    factory: app.factory,
    clock: systemClock,
    logger,
    maxBodyBytes,
    legacyIdleMs,
    maxLegacySessions,
  });
  app.updates.listen((uri) => endpoint.notify.resourceUpdated(uri));
  let isReady = true;
  const routes = createRoutes({
    guards: { hosts: new Set(['localhost', '127.0.0.1', '[::1]']) },
    authenticator: tokenAuthenticator(tokens),
    endpointOf: async () => endpoint,
    isReady: () => isReady,
  });
  const { host, port } = settings;
  const listener = await listen({ host, port, maxBodyBytes, routes, logger });
  return {
    url: `${listener.url}/mcp`,
    token: isFirst
      ? await tokens.create({
          name: 'first',
          principal: owner,
          scopes: ['call', 'approve', 'admin'],
          now: Date.now(),
        })
      : undefined,
    async close() {
      isReady = false;
      await endpoint.close();
      await Promise.allSettled([listener.close(), app.close()]);
    },
  };
}
