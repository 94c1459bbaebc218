/** A login for tests about something else: everyone is `identity`, without limits. */
import { noMeter } from '../../src/core/observability/measurements.js';
import { createAdmission } from '../../src/http/admission.js';
import { AnonymousLimit } from '../../src/http/auth/anonymous-limit.js';
import type { Authenticator } from '../../src/http/auth/authenticator.js';
import type { Identity } from '../../src/http/auth/identity.js';
import { Leases } from '../../src/http/auth/leases.js';
import { RateLimit } from '../../src/http/auth/rate-limit.js';
import { RunningLimit } from '../../src/http/auth/running-limit.js';
import { Refusals } from '../../src/http/refusals.js';
import type { RouteSettings } from '../../src/http/routes.js';
import { noAudit } from './audits.js';
import { FakeClock } from './fake-clock.js';

export function openLogin(
  identity: Identity,
  authenticate: Authenticator['authenticate'] = async () => identity,
): Pick<RouteSettings, 'admission' | 'refusals' | 'leases' | 'resource'> {
  const clock = new FakeClock();
  const authenticator = { authenticate, isInForce: async () => true };
  const refusals = new Refusals({ audit: noAudit, meter: noMeter, clock });
  const unlimited = new RateLimit({ perMinute: 1_000_000_000, clock });
  return {
    admission: createAdmission({
      authenticator,
      refusals,
      isPrincipal: () => true,
      resource: undefined,
      requests: unlimited,
      running: new RunningLimit(Number.POSITIVE_INFINITY),
      failures: unlimited,
      anonymous: new AnonymousLimit({ perMinute: 1e9, perMinuteAndAddress: 1e9, clock }),
    }),
    refusals,
    leases: new Leases({ authenticator, clock }),
    resource: undefined,
  };
}
