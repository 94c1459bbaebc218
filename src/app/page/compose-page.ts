import { owner } from '../../config/principals.js';
import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/observability/logger.js';
import { sparingLogger } from '../../core/observability/sparing-logger.js';
import type { FairTurns } from '../../http/auth/fair-turns.js';
import { Leases } from '../../http/auth/leases.js';
import { RateLimit } from '../../http/auth/rate-limit.js';
import type { RunningLimit } from '../../http/auth/running-limit.js';
import type { GuardSettings } from '../../http/guards.js';
import type { PageFiles } from '../../http/page/assets.js';
import { PageLogin } from '../../http/page/page-login.js';
import { createPageRoutes } from '../../http/page/page-routes.js';
import type { Refusals } from '../../http/refusals.js';
import type { PathRoutes } from '../../http/routes.js';
import type { Desk } from '../../page/desk.js';
import type { Devices } from './compose-devices.js';

export interface PageParts {
  readonly version: string;
  readonly files: PageFiles;
  readonly devices: Devices;
  readonly guards: GuardSettings;
  readonly refusals: Refusals;
  readonly requests: RateLimit;
  readonly running: RunningLimit;
  readonly failures: RateLimit;
  readonly isPrincipal: (name: string) => boolean;
  readonly deskOf: (principal: string) => Promise<Desk>;
  /** Set if the address of the page changes with each start. Its devices end with this server then. */
  readonly server: string | undefined;
  readonly isReady: () => boolean;
  readonly turns: Pick<FairTurns, 'next'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Page {
  readonly routes: PathRoutes;
  close(): Promise<void>;
}

/** A person mistypes a few times, not more. */
const guessesPerMinute = 5;

/** The door of the page: who may enter, and what they reach. */
export function composePage(parts: PageParts): Page {
  const { devices, clock } = parts;
  const login = new PageLogin({
    ...parts,
    ...devices,
    logger: sparingLogger(parts.logger, clock),
    owner,
    guesses: new RateLimit({ perMinute: guessesPerMinute, clock }),
  });
  const leases = new Leases({
    authenticator: { isInForce: ({ tokenId = '' }) => devices.devices.has(tokenId, clock.now()) },
    clock,
  });
  return {
    routes: createPageRoutes({ ...parts, login, leases }),
    async close() {
      leases.close();
      await devices.uses.flush();
    },
  };
}
