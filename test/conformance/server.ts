/** The service with the fixtures of the conformance suite. The suite sends no token, so every caller is the owner. */
import { createApp } from '../../src/app/app.js';
import { openDoor } from '../../src/app/service/compose-listener.js';
import { loadSettings } from '../../src/config/load.js';
import { serviceFallbacks } from '../../src/config/service-settings.js';
import { systemClock } from '../../src/core/clock.js';
import { createEndpoint } from '../../src/http/endpoint.js';
import { FairTurns } from '../../src/http/auth/fair-turns.js';
import { createRoutes } from '../../src/http/routes.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { openLogin } from '../kit/open-login.js';
import { createSandbox } from '../kit/sandbox.js';
import { addFixtures } from './fixtures.js';

const sandbox = createSandbox();
// The toolset query sends log notifications.
const environment = { ...sandbox.env(), CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,query,configure' };
const { settings } = loadSettings({ port: '0' }, environment, undefined, serviceFallbacks);
const logger = { log: () => undefined };
const app = await createApp({
  settings,
  version: '0.0.0-test',
  logger,
  audit: undefined,
  redactor: createRedactor(environment),
  environment,
  executable: undefined,
  pageFolder: '',
  watchdog: '',
  userProbe: '/nowhere',
  home: sandbox.home,
  cwd: sandbox.project,
  depth: 0,
});
const login = openLogin({ principal: 'owner', credential: 'suite', scopes: ['call', 'approve'] });
const endpoint = createEndpoint({
  factory: (request) => {
    const server = app.factory(request);
    addFixtures(server, request.era);
    return server;
  },
  clock: systemClock,
  logger,
  leases: login.leases,
  maxBodyBytes: 1_000_000,
  keepAliveMs: 15_000,
  legacyIdleMs: 60_000,
  turns: new FairTurns(),
  maxLegacySessions: 1_000,
  maxConnections: 1_000,
});
const { listener, origin, guards } = await openDoor(settings, logger);
listener.serve(
  createRoutes({
    guards,
    ...login,
    endpointOf: async () => endpoint,
    metrics: async () => undefined,
    isReady: () => true,
  }),
);
process.once('SIGTERM', () => {
  void Promise.allSettled([endpoint.close(), listener.close(), app.close()])
    .then(() => sandbox.remove())
    .finally(() => process.exit());
});
process.stdout.write(`${origin}/mcp\n`);
