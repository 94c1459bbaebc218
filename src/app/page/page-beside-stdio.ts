import { loopbackAddress } from '../../config/loopback-address.js';
import { owner } from '../../config/principals.js';
import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import { authorityOf } from '../../core/net.js';
import type { Audit } from '../../core/observability/audit.js';
import type { Meter } from '../../core/observability/measurements.js';
import { FairTurns } from '../../http/auth/fair-turns.js';
import { failuresPerMinute, RateLimit } from '../../http/auth/rate-limit.js';
import { RunningLimit } from '../../http/auth/running-limit.js';
import { problem } from '../../http/answers.js';
import { guardsFor } from '../../http/guards.js';
import { defaultLimits } from '../../http/limits.js';
import { listen } from '../../http/listener.js';
import { Refusals } from '../../http/refusals.js';
import { guarded } from '../../http/routes.js';
import type { Desk } from '../../page/desk.js';
import type { PageConfig } from './page-config.js';
import { preparedStateDir } from '../state/prepared-state-dir.js';
import { announce } from './announce.js';
import { composeDevices } from './compose-devices.js';
import { composePage } from './compose-page.js';
import { readPageFiles } from './page-files.js';

export interface BesideParts {
  readonly desk: () => Promise<Desk>;
  readonly audit: Audit;
  readonly meter: Meter;
  readonly clock: Clock;
}

export interface OpenPage {
  readonly origin: string;
  close(): Promise<void>;
}

/** One person and a few devices. */
const maxConnections = 100;
/** Time to send the last messages of the streams. */
const settleMs = 200;

/** The page of a server over stdin and stdout, on a loopback port of its own. Undefined if it is off. */
export async function openPageBeside(config: PageConfig, parts: BesideParts): Promise<OpenPage | undefined> {
  const { settings, environment, home, logger, version, cwd } = config;
  const { clock } = parts;
  const address = loopbackAddress(settings.web ?? 'off');
  if (address === undefined) return undefined;
  const files = await readPageFiles(config.pageFolder);
  const devices = composeDevices(preparedStateDir(settings, environment, home), clock);
  const limits = { ...defaultLimits, maxConnections };
  const listening = listen({ ...address, tls: undefined, isBehindProxy: false, limits, clock, logger });
  const listener = await listening.catch((error: unknown) => {
    throw new Error(`${messageOf(error)}. Choose another port with --web (0: any free port).`, {
      cause: error,
    });
  });
  const names = [address.host, 'localhost', '127.0.0.1', '::1'];
  const guards = guardsFor(names.map((name) => `http://${authorityOf(name, listener.port)}`));
  const refusals = new Refusals(parts);
  let isReady = true;
  const page = composePage({
    version,
    files,
    devices,
    guards,
    refusals,
    requests: new RateLimit({ perMinute: settings.maxRequestsPerMinute, clock }),
    running: new RunningLimit(maxConnections),
    failures: new RateLimit({ perMinute: failuresPerMinute, clock }),
    isPrincipal: (name) => name === owner,
    deskOf: parts.desk,
    server: address.port === 0 ? await devices.servers.own() : undefined,
    isReady: () => isReady,
    turns: new FairTurns(),
    clock,
    logger,
  });
  listener.serve(
    guarded(page.routes, {
      guards,
      refusals,
      visited: new Set(['/']),
      notFound: async () => problem(404, -32_000, 'Not found. The page is at /.'),
      // Only programs of this machine reach it.
      refuseAnonymous: () => undefined,
    }),
  );
  await announce(devices, { origin: listener.origin, kind: 'stdio', startedAt: clock.now(), cwd }, logger);
  logger.log('info', 'the page is open', { url: listener.origin });
  return {
    origin: listener.origin,
    async close() {
      isReady = false;
      await devices.addresses.withdraw().catch(() => undefined);
      await listener.settled(settleMs);
      await listener.close();
      refusals.flush();
      await page.close();
    },
  };
}
